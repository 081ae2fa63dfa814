/** A model that cannot be drawn. The message is for clients. */
export class BlueprintFault extends Error {}
