import { z } from 'zod';
import { type Json, type Operation, pythonJson, pythonTextRepr } from '../../../service/index.ts';
import { argumentsOf, raising, textArgument } from '../arguments.ts';
import { operation } from '../operation.ts';
import { PythonException } from '../python-numbers.ts';
import { flightOn } from '../views.ts';

const DIRECT = 'SearchDirectFlight';
const ONE_STOP = 'SearchOnestopFlight';

/** The airports served, by IATA code, in the order in which they are listed. */
const AIRPORTS: Readonly<Record<string, string>> = {
  SFO: 'San Francisco',
  JFK: 'New York',
  LAX: 'Los Angeles',
  ORD: 'Chicago',
  DFW: 'Dallas',
  DEN: 'Denver',
  SEA: 'Seattle',
  ATL: 'Atlanta',
  MIA: 'Miami',
  BOS: 'Boston',
  PHX: 'Phoenix',
  IAH: 'Houston',
  LAS: 'Las Vegas',
  MCO: 'Orlando',
  EWR: 'Newark',
  CLT: 'Charlotte',
  MSP: 'Minneapolis',
  DTW: 'Detroit',
  PHL: 'Philadelphia',
  LGA: 'LaGuardia',
};

const listAllAirports = operation({
  id: 'list_all_airports',
  summary: 'Lists the airports served: code and city.',
  effect: 'read',
  http: { method: 'POST', path: '/tools/list_all_airports' },
  input: argumentsOf('ListAllAirports', {}),
  output: z.string(),
  example: {},
  errors: [],
  run: () => pythonJson(AIRPORTS),
});

function searchArguments(method: string) {
  return argumentsOf(method, {
    origin: textArgument(method, 'Code of the airport of departure, such as DEN.'),
    destination: textArgument(method, 'Code of the airport of arrival, such as BOS.'),
    date: textArgument(method, 'Day of departure, YYYY-MM-DD.'),
  });
}

const searchDirectFlight = operation({
  id: 'search_direct_flight',
  summary: 'Finds the flights between two airports that can be booked on a day, without a stop.',
  effect: 'read',
  http: { method: 'POST', path: '/tools/search_direct_flight' },
  input: searchArguments(DIRECT),
  output: z.string(),
  example: { origin: 'DEN', destination: 'BOS', date: '2024-05-20' },
  errors: [],
  run(ctx, { origin, destination, date }) {
    const found: Json[] = [];
    for (const flight of ctx.tx.flights.by('route', [origin, destination])) {
      if (isAvailable(flight, date)) found.push(flightOn(flight, date) as Json);
    }
    return pythonJson(found);
  },
});

/**
 * The second leg leaves no earlier than the first arrives; times compare as text, so that an arrival on the
 * next day ("01:10:00+1") is an early hour. Its printed date is then the next day, while its seats and
 * prices are those of the first day: the original mixes the two and the recorded runs show it.
 */
const searchOnestopFlight = operation({
  id: 'search_onestop_flight',
  summary: 'Finds pairs of flights with one stop between two airports that can be booked from a day on.',
  effect: 'read',
  http: { method: 'POST', path: '/tools/search_onestop_flight' },
  input: searchArguments(ONE_STOP),
  output: z.string(),
  example: { origin: 'DEN', destination: 'MIA', date: '2024-05-20' },
  errors: ['exception'],
  run(ctx, { origin, destination, date }) {
    return raising(ctx.fail, () => {
      const found: Json[] = [];
      for (const first of ctx.tx.flights.by('origin', [origin])) {
        for (const second of ctx.tx.flights.by('route', [first.destination, destination])) {
          const arrival = first.scheduled_arrival_time_est;
          const secondDate = arrival.includes('+1') ? dayAfter(date) : date;
          if (arrival > second.scheduled_departure_time_est) continue;
          if (!isAvailable(first, date) || !isAvailable(second, secondDate)) continue;
          if (!Object.hasOwn(second.dates, date)) throw new PythonException(pythonTextRepr(date));
          found.push([
            { ...flightOn(first, date), date },
            { ...flightOn(second, date), date: secondDate },
          ]);
        }
      }
      return pythonJson(found);
    });
  },
});

interface Calendar {
  readonly dates: Readonly<Record<string, { readonly status: string }>>;
}

function isAvailable(flight: Calendar, date: string): boolean {
  return Object.hasOwn(flight.dates, date) && flight.dates[date]?.status === 'available';
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The next day of the calendar. @throws PythonException when the text does not end in a day number. */
function dayAfter(date: string): string {
  const day = date.slice(-2);
  if (!/^\s*[+-]?\d+\s*$/.test(day)) {
    throw new PythonException(`invalid literal for int() with base 10: ${pythonTextRepr(day)}`);
  }
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  if (!parts) return `${date.slice(0, -2)}${padded(Number(day) + 1)}`;
  const [year, month] = [Number(parts[1]), Number(parts[2])];
  const leap = month === 2 && (year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0));
  if (Number(day) < (DAYS_OF_MONTH[month - 1] ?? 31) + (leap ? 1 : 0)) {
    return `${date.slice(0, -2)}${padded(Number(day) + 1)}`;
  }
  return month === 12 ? `${year + 1}-01-01` : `${year}-${padded(month + 1)}-01`;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}

export const flightOperations: readonly Operation[] = [
  listAllAirports,
  searchDirectFlight,
  searchOnestopFlight,
];
