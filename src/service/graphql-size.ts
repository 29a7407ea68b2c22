import type { DocumentNode, FieldNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from 'graphql';
import type { JsonObject } from '../base/json.ts';

/** How large an answer may become, counted before anything is run. */
export interface GraphqlSize {
  /** Items of lists that are asked for with `first` or `last`, those within each other multiplied. */
  readonly nodes: number;
  /** Fields that are asked for, those of a fragment as often as it is spread. */
  readonly fields: number;
}

const NOTHING: GraphqlSize = { nodes: 0, fields: 0 };

/** Counts an operation that was checked: its fragments are there, and none is within itself. */
export function graphqlSize(
  document: DocumentNode,
  operation: OperationDefinitionNode | undefined,
  variables: JsonObject,
): GraphqlSize {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === 'FragmentDefinition' ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  // Each set is counted once, however often it is spread: fragments may double what they hold many times.
  const known = new Map<SelectionSetNode, GraphqlSize>();

  function sizeOf(set: SelectionSetNode | undefined): GraphqlSize {
    if (!set) return NOTHING;
    const counted = known.get(set);
    if (counted) return counted;
    let size = NOTHING;
    for (const selection of set.selections) {
      if (selection.kind === 'Field') size = sum(size, sizeOfField(selection));
      else if (selection.kind === 'InlineFragment') size = sum(size, sizeOf(selection.selectionSet));
      else size = sum(size, sizeOf(fragments.get(selection.name.value)));
    }
    known.set(set, size);
    return size;
  }

  function sizeOfField(field: FieldNode): GraphqlSize {
    const { nodes, fields } = sizeOf(field.selectionSet);
    const items = itemsOf(field, variables);
    return { nodes: items === null ? nodes : items + items * nodes, fields: fields + 1 };
  }

  return sizeOf(operation?.selectionSet);
}

function sum(one: GraphqlSize, other: GraphqlSize): GraphqlSize {
  return { nodes: one.nodes + other.nodes, fields: one.fields + other.fields };
}

/** How many items a field asks for; null for one that is no list of pages. */
function itemsOf(field: FieldNode, variables: JsonObject): number | null {
  const given = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last');
  return given ? wholeOf(given.value, variables) : null;
}

function wholeOf(value: ValueNode, variables: JsonObject): number {
  const said = value.kind === 'Variable' ? variables[value.name.value] : 'value' in value ? value.value : 0;
  const number = Number(said);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
