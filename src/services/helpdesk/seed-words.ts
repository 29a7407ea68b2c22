import type { Policy } from './schema.ts';

/** Invented people: any likeness is chance. */
export const FIRST_NAMES = [
  'Ada',
  'Basil',
  'Cleo',
  'Dorin',
  'Elke',
  'Fenn',
  'Greta',
  'Hollis',
  'Ines',
  'Joris',
  'Kaya',
  'Linus',
  'Maren',
  'Nilo',
  'Orla',
  'Petra',
  'Quill',
  'Runa',
  'Silas',
  'Thea',
  'Ulric',
  'Vesna',
  'Wanda',
  'Yara',
] as const;

export const LAST_NAMES = [
  'Ashdown',
  'Birch',
  'Calloway',
  'Dunmore',
  'Elder',
  'Fairlie',
  'Glenn',
  'Hawthorn',
  'Inwood',
  'Juniper',
  'Kestrel',
  'Larkin',
  'Marsh',
  'Nettle',
  'Oakes',
  'Pinder',
  'Quarry',
  'Rowan',
  'Sedge',
  'Thornby',
  'Underhill',
  'Vale',
  'Willow',
  'Yarrow',
] as const;

export const STREETS = [
  'Mill Row',
  'Harbour Lane',
  'Chapel Street',
  'Orchard Way',
  'Station Road',
  'Quay Side',
  'Hill Street',
  'Garden Walk',
  'Old Market',
  'Bridge End',
] as const;

export const CITIES = [
  ['Eastmere', 'NL'],
  ['Northhaven', 'DK'],
  ['Brookfield', 'IE'],
  ['Steinau', 'DE'],
  ['Valmont', 'FR'],
  ['Lindholm', 'SE'],
  ['Ostria', 'IT'],
  ['Whitby Sands', 'GB'],
] as const;

export const MAIL_DOMAINS = ['example.com', 'example.org', 'mail.example.com', 'post.example.org'] as const;

export const POLICIES: readonly Policy[] = [
  {
    id: 'RP-STD-30',
    title: 'Home goods',
    window_days: 30,
    gold_extra_days: 15,
    share_percent: 100,
    credit_window_days: 60,
    text: 'Full refund within 30 days of delivery, 45 for gold customers; store credit up to 60 days.',
  },
  {
    id: 'RP-ELC-14',
    title: 'Electronics',
    window_days: 14,
    gold_extra_days: 7,
    share_percent: 100,
    credit_window_days: 0,
    text: 'Full refund within 14 days of delivery, 21 for gold customers; no store credit after that.',
  },
  {
    id: 'RP-APP-60',
    title: 'Clothing',
    window_days: 60,
    gold_extra_days: 30,
    share_percent: 100,
    credit_window_days: 120,
    text: 'Full refund within 60 days of delivery, 90 for gold customers; store credit up to 120 days.',
  },
  {
    id: 'RP-OUT-30',
    title: 'Outdoor gear',
    window_days: 30,
    gold_extra_days: 15,
    share_percent: 80,
    credit_window_days: 60,
    text:
      '80 percent back within 30 days of delivery, 45 for gold customers; the rest pays for ' +
      'restocking. Store credit of the same share up to 60 days.',
  },
  {
    id: 'RP-FRS-3',
    title: 'Fresh goods',
    window_days: 3,
    gold_extra_days: 0,
    share_percent: 50,
    credit_window_days: 7,
    text: 'Half the price back within 3 days of delivery; store credit of the same share up to 7 days.',
  },
  {
    id: 'RP-FIN-0',
    title: 'Final sale',
    window_days: 0,
    gold_extra_days: 0,
    share_percent: 0,
    credit_window_days: 0,
    text: 'Clearance goods are sold for good: no refund, no store credit.',
  },
];

/** Products by category, as `[name, price in cents]`; each category has the policy of its own. */
export const CATEGORIES: readonly {
  readonly category: string;
  readonly policyId: string;
  readonly products: readonly (readonly [string, number])[];
}[] = [
  {
    category: 'home',
    policyId: 'RP-STD-30',
    products: [
      ['Oak side table', 24000],
      ['Linen curtain pair', 8990],
      ['Wool rug, large', 18950],
      ['Ceramic lamp', 6450],
      ['Copper pan set', 12900],
      ['Bookshelf, three boards', 9900],
    ],
  },
  {
    category: 'electronics',
    policyId: 'RP-ELC-14',
    products: [
      ['Desk speaker', 7990],
      ['Noise-cancelling headset', 21900],
      ['E-paper reader', 15900],
      ['Portable projector', 41900],
      ['Keyboard, quiet', 8450],
    ],
  },
  {
    category: 'clothing',
    policyId: 'RP-APP-60',
    products: [
      ['Rain coat', 13900],
      ['Knit jumper', 7450],
      ['Canvas trousers', 6900],
      ['Leather boots', 17900],
      ['Merino socks, five pairs', 3250],
    ],
  },
  {
    category: 'outdoor',
    policyId: 'RP-OUT-30',
    products: [
      ['Two-person tent', 22900],
      ['Down sleeping bag', 18900],
      ['Camp stove', 5990],
      ['Trekking poles', 7490],
      ['Dry bag, 40 litres', 3590],
    ],
  },
  {
    category: 'fresh',
    policyId: 'RP-FRS-3',
    products: [
      ['Cheese box', 4590],
      ['Flower bouquet', 3900],
      ['Coffee, fresh roast', 1850],
      ['Fruit crate', 2990],
    ],
  },
  {
    category: 'clearance',
    policyId: 'RP-FIN-0',
    products: [
      ['Garden chair, last season', 4490],
      ['Phone case, old model', 990],
      ['Display vase', 2590],
    ],
  },
];

export const TICKET_SUBJECTS = {
  returns: [
    'I want to send this back',
    'Not what I expected, money back please',
    'Arrived damaged',
    'Wrong size',
    'Please refund',
  ],
  billing: ['Charged twice?', 'I need an invoice', 'A question about my store credit'],
  delivery: ['Where is my parcel?', 'Parcel left in the rain', 'Delivery on another day'],
  account: ['Change of address', 'I forgot my password', 'Why do I get your newsletter?'],
} as const;

export const NOTE_BODIES = [
  'Called back, no answer.',
  'Customer sent photographs.',
  'Waiting for the carrier.',
  'Polite reminder sent.',
] as const;
