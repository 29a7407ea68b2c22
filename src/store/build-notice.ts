let said = (_recipe: string): void => {};

/**
 * Says that a seeded world which is not in the cache is about to be built: a large one takes half a minute.
 */
export function announceBuild(recipe: string): void {
  said(recipe);
}

/** Who talks to a person has it told; without this nothing is said. */
export function onBuild(say: (recipe: string) => void): void {
  said = say;
}
