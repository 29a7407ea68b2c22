/** A moment as GitHub writes it: whole seconds, UTC. */
export function momentText(ms: number): string {
  return `${new Date(Math.floor(ms / 1_000) * 1_000).toISOString().slice(0, 19)}Z`;
}
