/** The model cannot be rendered. The message is returned to the client. */
export class BlueprintError extends Error {}
