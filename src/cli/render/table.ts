/**
 * Lays rows out in columns: the first left-aligned, cells padded to the widest. Text only, no colour inside
 * widths.
 */
export function layOut(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, width(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd(),
  );
}

function width(text: string): number {
  return [...text].length;
}
