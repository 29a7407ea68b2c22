/** What the agent is told about values that several tools take. */
export const CABINS = ['basic_economy', 'economy', 'business'] as const;

export const WANTED_FLIGHT = {
  flight_number: { type: 'string', description: 'Number of the flight, such as GH101.' },
  date: { type: 'string', description: 'Day of the flight, YYYY-MM-DD.' },
} as const;

export const PASSENGER = {
  first_name: { type: 'string', description: 'First name.' },
  last_name: { type: 'string', description: 'Last name.' },
  dob: { type: 'string', description: 'Date of birth, YYYY-MM-DD.' },
} as const;
