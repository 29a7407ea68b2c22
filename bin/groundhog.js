#!/usr/bin/env node
// Plain JavaScript that an old Node parses, so that it can say in one sentence what to do.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `groundhog needs Node 22.18 or newer, this is ${process.versions.node}. ` +
      'In a checkout, `npm run -s groundhog -- …` uses the Node that npm installed.',
  );
  process.exit(3);
}
// Before the first TypeScript file: stripping types from a hundred of them costs more than most commands do,
// and so does loading what strips them. From the namespace, as an old Node has no such function to import.
nodeModule.enableCompileCache();
// A checkout runs its sources unbuilt; the published package has dist alone.
const source = new URL('../src/cli/start.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../dist/cli/start.js', import.meta.url).href);
