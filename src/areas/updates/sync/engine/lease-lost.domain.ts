/** Another worker holds the lease of the branch: the write was rejected, and this sync must stop. */
export class LeaseLostError extends Error {
  constructor(branch: string) {
    super(`${branch} is being synced by another worker`);
    this.name = 'LeaseLostError';
  }
}
