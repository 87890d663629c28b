// The names of parameters as arguments of a client. A call has one object with all parameters and the `body`, so two
// parameters, or a parameter and the body, can have the same name.

interface ParameterNames {
  path: readonly string[];
  query: readonly string[];
}

/** Returns the arguments of the parameters that cannot have their own names, by place and name. */
export function renamedArguments({ path, query }: ParameterNames): Record<keyof ParameterNames, Map<string, string>> {
  const taken = new Set(['body', ...path, ...query]);
  const free = (name: string, suffix: string): [string, string] => {
    let argument = name;
    while (taken.has(argument)) argument += suffix;
    taken.add(argument);
    return [name, argument];
  };
  const isTaken = (name: string): boolean => name === 'body' || path.includes(name);
  return {
    path: new Map(path.filter((name) => name === 'body').map((name) => free(name, 'Path'))),
    query: new Map(query.filter(isTaken).map((name) => free(name, 'Query'))),
  };
}
