import '../support/environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fittingRequest, listOperations } from './generate/requests.ts';
import { type Ground, prepareGround } from './ground.ts';
import { createProbe, type Probe } from './probe.ts';
import type { HostileRequest } from './request.ts';
import { createTally } from './tally.ts';
import { watchProcess } from './watch-process.ts';

// Each text of each operation that the manifest has, so also of modules that others add.

/** Texts that a store or a key of the table cannot take. */
const texts = {
  'the first half of a character': 'a\ud800',
  'the second half of a character': '\udc00b',
  'a NUL': 'a\0b',
  'a very long text': 'a'.repeat(60_000),
  'a text that is long in UTF-8 only': '\u4e2d'.repeat(500),
};

/** Requests with one text replaced, by the name of its place. */
type Places = Map<string, (text: string) => HostileRequest>;

/** The places of a JSON value, also those that only the schema has. */
function findJsonPlaces(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => findJsonPlaces(each, [...path, name]));
}

function replaceAt(value: unknown, [name, ...rest]: string[], text: string): unknown {
  if (name === undefined) return text;
  const inner = replaceAt(Object(value)[name], rest, text);
  if (!Array.isArray(value)) return { ...Object(value), [name]: inner };
  return value.map((each, index) => (String(index) === name ? inner : each));
}

function addJsonPlaces(places: Places, request: HostileRequest, fields: string[]): void {
  const given: unknown = JSON.parse(Object(request.body).text);
  const own = fields.map((field) => [field]);
  for (const path of [...own, ...findJsonPlaces(given)]) {
    const name = `body.${path.map((each) => (/^\d+$/.test(each) ? '*' : each)).join('.')}`;
    places.set(name, (text) => ({
      ...request,
      body: { text: JSON.stringify(replaceAt(given, path, text)) },
    }));
  }
}

/** Replaces each field of a form of texts. */
function addFormPlaces(places: Places, request: HostileRequest): void {
  const given = new URLSearchParams(Object(request.body).text);
  for (const name of given.keys()) {
    places.set(`body.${name}`, (text) => {
      const form = new URLSearchParams(given);
      form.set(name, text);
      return { ...request, body: { text: String(form) } };
    });
  }
}

/** Replaces each field and the name of the file of a multipart form. */
function addPartPlaces(places: Places, request: HostileRequest): void {
  const given = Buffer.from(Object(request.body).bytes, 'base64').toString('latin1');
  const toBody = (whole: string) => ({ bytes: Buffer.from(whole, 'latin1').toString('base64') });
  const toLatin = (text: string) => Buffer.from(text).toString('latin1');
  for (const [, name] of given.matchAll(/name="(\w+)"\r\n\r\n/g)) {
    const field = new RegExp(`(name="${name}"\\r\\n\\r\\n)[^\\r]*`);
    places.set(`body.${name}`, (text) => ({
      ...request,
      body: toBody(given.replace(field, (_whole, head) => head + toLatin(text))),
    }));
  }
  places.set('body.file', (text) => ({
    ...request,
    body: toBody(given.replace(/filename="/, (head) => head + toLatin(text))),
  }));
}

function addQueryPlaces(places: Places, request: HostileRequest, names: string[]): void {
  for (const name of names) {
    places.set(`query.${name}`, (text) => {
      const query = new URLSearchParams(request.query);
      query.set(name, text);
      return { ...request, query: String(query) };
    });
  }
}

type Operation = ReturnType<typeof listOperations>[number];

/** The places with texts of an operation, from several requests that fit it. */
function listPlaces(operation: Operation): Places {
  const places: Places = new Map();
  const inQuery = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const schema = Object(operation.content['application/json']?.schema);
  const fields = Object.keys(Object(schema.properties));
  for (const request of fc.sample(fittingRequest(operation), { numRuns: 8, seed: 1 })) {
    addQueryPlaces(places, request, inQuery);
    if (!request.body) continue;
    if ('bytes' in request.body) addPartPlaces(places, request);
    else if ('application/json' in operation.content) addJsonPlaces(places, request, fields);
    else addFormPlaces(places, request);
  }
  return places;
}

let ground: Ground;
let probe: Probe;
const watch = watchProcess();
const { error, warn } = console;

beforeAll(async () => {
  ground = await prepareGround();
  probe = createProbe(ground, watch, createTally([]));
  // Intended failures would fill the log.
  Object.assign(console, { error: () => {}, warn: () => {} });
}, 120_000);

afterAll(async () => {
  Object.assign(console, { error, warn });
  watch.stop();
  await ground?.stop();
});

describe.each(Object.entries(texts))('%s', (_title, text) => {
  test('is answered as documented in every text field of every operation', async () => {
    const faults: string[] = [];
    let sent = 0;
    for (const operation of listOperations(ground.document)) {
      for (const [place, fill] of listPlaces(operation)) {
        sent += 1;
        const fault = await probe(fill(text));
        if (fault !== undefined) faults.push(`${place}: ${fault.slice(0, 300)}`);
      }
    }

    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThan(200);
  }, 300_000);
});
