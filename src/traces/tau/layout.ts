/** How one domain of tau-bench, version 1, maps on the tables of the service that plays it. */
export interface TauLayout {
  readonly domain: string;
  /** Tables by the name they have in the database, and the columns that only our rows have. */
  readonly tables: Readonly<Record<string, { readonly added: readonly string[] }>>;
  /** Tools that end a run; gold replay leaves them out. */
  readonly terminating: readonly string[];
  /** The order in which nested documents of arguments usually have their members. */
  readonly usualOrder: readonly string[];
}

export const AIRLINE_LAYOUT: TauLayout = {
  domain: 'airline',
  tables: {
    flights: { added: ['position'] },
    reservations: { added: [] },
    users: { added: ['user_id'] },
  },
  terminating: ['transfer_to_human_agents'],
  usualOrder: [
    'origin',
    'destination',
    'flight_number',
    'date',
    'price',
    'first_name',
    'last_name',
    'dob',
    'payment_id',
    'amount',
  ],
};
