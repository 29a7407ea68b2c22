/** What GitHub needs to know of a workflow's file before it runs it. */
export interface WorkflowFile {
  readonly name: string | null;
  readonly triggers: readonly string[];
  /** Inputs of `workflow_dispatch`, by name: whether one must be given. */
  readonly inputs: ReadonlyMap<string, { readonly required: boolean; readonly hasDefault: boolean }>;
  readonly jobs: readonly string[];
}

interface Line {
  readonly indent: number;
  readonly key: string;
  readonly value: string;
}

/** Reads the outline of a workflow: keys and plain values by indentation; other YAML is passed over. */
export function readWorkflow(text: string): WorkflowFile {
  const lines = linesOf(text);
  const on = under(lines, ['on']);
  const inline = valueAt(lines, 'on').replaceAll(/[[\]"']/gu, '');
  const triggers =
    inline === '' ? children(on).map(({ key }) => key) : inline.split(',').map((name) => name.trim());
  const wanted = under(lines, ['on', 'workflow_dispatch', 'inputs']);
  const inputs = children(wanted).map(({ key }) => {
    const about = under(wanted, [key]);
    return [
      key,
      { required: valueAt(about, 'required') === 'true', hasDefault: has(about, 'default') },
    ] as const;
  });
  return {
    name: valueAt(lines, 'name').replaceAll(/^["']|["']$/gu, '') || null,
    triggers,
    inputs: new Map(inputs),
    jobs: children(under(lines, ['jobs'])).map(({ key }) => key),
  };
}

function linesOf(text: string): readonly Line[] {
  return text.split('\n').flatMap((raw) => {
    const found = /^(\s*)(?:- )?["']?([\w./-]+)["']?:(?:\s+(.*?))?\s*$/u.exec(raw.replace(/(^|\s)#.*$/u, ''));
    if (!found) return [];
    return [{ indent: found[1]?.length ?? 0, key: found[2] ?? '', value: (found[3] ?? '').trim() }];
  });
}

/** The lines below a path of keys. */
function under(lines: readonly Line[], path: readonly string[]): readonly Line[] {
  return path.reduce<readonly Line[]>((rest, key) => {
    const at = rest.findIndex((line) => line.key === key && line.indent === (rest[0]?.indent ?? 0));
    const head = rest[at];
    if (!head) return [];
    const below = rest.slice(at + 1);
    const end = below.findIndex(({ indent }) => indent <= head.indent);
    return end < 0 ? below : below.slice(0, end);
  }, lines);
}

function children(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ indent }) => indent === lines[0]?.indent);
}

function valueAt(lines: readonly Line[], key: string): string {
  return children(lines).find((line) => line.key === key)?.value ?? '';
}

function has(lines: readonly Line[], key: string): boolean {
  return children(lines).some((line) => line.key === key);
}
