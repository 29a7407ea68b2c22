/** The part of jstat that tests compare with; the package has no types. */
declare module 'jstat' {
  export const jStat: {
    readonly studentt: {
      inv(p: number, degrees: number): number;
      cdf(t: number, degrees: number): number;
    };
    readonly beta: { cdf(x: number, a: number, b: number): number };
  };
}
