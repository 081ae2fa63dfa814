/** Another worker took over the branch: this sync must stop and has written nothing since. */
export class LeaseLost extends Error {
  constructor(branch: string) {
    super(`${branch} is being synced by another worker`);
    this.name = 'LeaseLost';
  }
}
