/**
 * The cluster of each trial: trials of one scenario share one, and so do scenarios of one cluster label.
 * Where labels overlap (a scenario under two labels) the whole connected group is one cluster, so the
 * coarsest reading holds.
 *
 * @returns a name for each trial's cluster, in the order of the trials
 */
export function clusterLabels(
  trials: readonly { readonly scenario: string; readonly cluster?: string | undefined }[],
): string[] {
  const parent = new Map<string, string>();
  const rootOf = (label: string): string => {
    let root = label;
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up;
    parent.set(label, root);
    return root;
  };
  for (const { scenario, cluster } of trials) {
    const own = rootOf(`scenario ${scenario}`);
    if (cluster !== undefined) parent.set(own, rootOf(`cluster ${cluster}`));
  }
  return trials.map(({ scenario }) => rootOf(`scenario ${scenario}`));
}
