/** Objects of a class, and the name of each object that was looked up, in order. */
export function countedObjects<Class extends Rpc.DurableObjectBranded | undefined>(objects: DurableObjectNamespace<Class>) {
  const names: string[] = [];
  const counted = {
    getByName(name: string) {
      names.push(name);
      return objects.getByName(name);
    },
  } as DurableObjectNamespace<Class>;
  return { names, counted };
}
