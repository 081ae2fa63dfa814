import { createVault, type Vault } from '../../platform/storage/vault.ts';

/** Encrypts URLs and secrets of webhooks; each ciphertext is bound to its webhook. */
export type AddressVault = Vault;

export const createAddressVault = (secret: string | undefined): AddressVault =>
  createVault(secret, {
    sealing: 'webhook addresses',
    digesting: 'webhook digests',
    naming: 'webhook key id',
    unconfigured: 'webhooks are not configured',
  });
