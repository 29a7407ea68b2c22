import type {
  ColumnShape,
  ReadTables,
  Schema,
  TableDeclaration,
  TableSpec,
  Transaction,
  WorldValue,
  WriteTables,
} from './types.ts';

/**
 * Declares a table with exact types: the columns are inferred, and every list of columns is checked by type.
 */
export function defineTable<const Columns extends ColumnShape>(
  spec: TableDeclaration<Columns>,
): TableSpec<Columns> {
  return spec;
}

type Source = { table(name: string): unknown };
type View = new (source: Source) => object;

const views = new WeakMap<Schema, Map<string, View>>();

/** The tables of one service in a transaction, by their short names. */
export function typedTables<S extends Schema>(tx: Transaction, service: string, schema: S): WriteTables<S> {
  return new (viewFor(service, schema))(tx) as WriteTables<S>;
}

/** The tables of one service of a world, by their short names. */
export function readTables<S extends Schema>(world: WorldValue, service: string, schema: S): ReadTables<S> {
  return new (viewFor(service, schema))(world) as ReadTables<S>;
}

/** A class with one getter for each table, made once: a view costs one small object, a table one look-up. */
function viewFor(service: string, schema: Schema): View {
  let byService = views.get(schema);
  if (byService === undefined) {
    byService = new Map();
    views.set(schema, byService);
  }
  const known = byService.get(service);
  if (known !== undefined) return known;
  class TablesView {
    readonly #source: Source;

    constructor(source: Source) {
      this.#source = source;
    }

    static tableOf(view: TablesView, name: string): unknown {
      return view.#source.table(name);
    }
  }
  for (const table of Object.keys(schema)) {
    const name = `${service}.${table}`;
    Object.defineProperty(TablesView.prototype, table, {
      enumerable: true,
      get(this: TablesView): unknown {
        return TablesView.tableOf(this, name);
      },
    });
  }
  byService.set(service, TablesView);
  return TablesView;
}
