import * as z from 'zod/mini';
import { convertMedia } from '#shared/media/convert-media.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import {
  cloneWith,
  definitionOf,
  fieldsOf,
  innerOf,
  type Schema,
  typeOf,
} from '#shared/schema/definition.ts';
import { McpTool, type ToolAccess, type ToolContext, type ToolSchema } from './mcp-tool.ts';

/** What a tool uses of a route. Discovery checks the rest (`functions/checks/check-route-tools.ts`). */
export interface ToolRoute {
  method: 'GET' | 'POST';
  summary: LocalisedText;
  right?: string;
  query?: Schema;
  body?: Schema;
  data: Schema;
  // Methods, so that their parameters may be narrower.
  prefetch?(context: object): Promise<unknown>;
  handler(context: object): Promise<unknown>;
}

interface RouteToolOptions extends Pick<McpTool, 'isDestructive' | 'isIdempotent' | 'confirm'> {
  /** `module.ability`. */
  name: string;
  /** More than the summary of the route, for the model that chooses the tool. */
  description?: string;
  /** The fields of the result that are answered; without it, all. A model needs few of a record that it wrote. */
  pick?: readonly string[];
}

/** A tool without abstract members. */
interface ConcreteTool extends Omit<McpTool, 'handle' | 'describeCall'> {
  describeCall?(context: ToolContext, args: Record<string, unknown>): Promise<LocalisedText>;
  handle(args: Record<string, unknown>, context: ToolContext): Promise<unknown>;
}

/**
 * Makes a tool of a route of `Admin/`: `class ListTool extends fromRoute(listRoute, { name: 'article.list' }) {}`. It
 * has the route's input, result, permission, validation, handler and audit.
 */
export function fromRoute(route: ToolRoute, options: RouteToolOptions): new () => ConcreteTool {
  const { name, description, isDestructive, isIdempotent, confirm, pick } = options;
  const access: ToolAccess = route.method === 'GET' || route.right === 'read' ? 'read' : 'write';
  const inputSchema = route.body ? asObject(route.body) : toStrictQuery(route.query);
  const outputSchema = pick ? z.pick(asObject(route.data), toMask(pick)) : route.data;
  return class extends McpTool {
    override readonly route = route;
    override readonly name = name;
    override readonly title = route.summary;
    override readonly description = [`${route.summary.en}.`, description ?? []].flat().join(' ');
    override readonly inputSchema = inputSchema;
    override readonly outputSchema = outputSchema;
    override readonly access = access;
    override readonly isDestructive = isDestructive;
    override readonly isIdempotent = isIdempotent;
    override readonly confirm = confirm;

    /** The route's permission is checked for every tool, and its handler checks the rest. */
    override async authorize() {}

    override async handle(args: Record<string, unknown>, context: ToolContext): Promise<unknown> {
      const { admin, request, locale, texts, needs } = context;
      const input = route.body ? { query: undefined, body: args } : { query: args, body: undefined };
      const prefetched = await route.prefetch?.({ ...input, sent: {}, ...needs });
      const caller = { admin, adminId: admin.id, request, locale, texts };
      const result = await route.handler({ ...input, ...caller, ...needs, prefetched });
      // Media rule 1: answers contain full URLs instead of stored paths.
      const data = convertMedia(route.data, result ?? null);
      if (!pick) return data;
      return Object.fromEntries(Object.entries(Object(data)).filter(([field]) => pick.includes(field)));
    }
  };
}

function asObject(schema: Schema): ToolSchema {
  if (schema instanceof z.ZodMiniObject) return schema;
  throw new TypeError('input and narrowed data of a route that becomes a tool are objects');
}

const toMask = (fields: readonly string[]): Record<string, true> =>
  Object.fromEntries(fields.map((field) => [field, true]));

/** The query for arguments in JSON: unknown ones are refused, and numbers, booleans and lists are sent as such. */
function toStrictQuery(query: Schema = z.strictObject({})): ToolSchema {
  const shape = Object.fromEntries(
    Object.entries(fieldsOf(query)).map(([name, field]) => [name, acceptJson(field)]),
  );
  // A clone keeps the checks of the whole query.
  return cloneWith(asObject(query), { shape, catchall: z.never() });
}

/** The schema of a query parameter, for its value in JSON: a value of its type becomes text and is checked as such. */
function acceptJson(field: Schema): Schema {
  const inner = innerOf(field);
  if (inner) return cloneWith(field, { innerType: acceptJson(inner) }, { parent: true });
  const type = typeAfter(field);
  const isText = typeOf(field) !== 'pipe' || !isConverted(type);
  return isText ? field : z.pipe(writerOf(type), field);
}

/** The type of a parsed value. */
function typeAfter(schema: Schema): string {
  const def = definitionOf(schema);
  return def.type === 'pipe' ? typeAfter(def.out) : def.type;
}

/** The types whose values a query has as text. */
const convertedTypes = ['number', 'boolean', 'array'] as const;
type ConvertedType = (typeof convertedTypes)[number];
const isConverted = (type: string): type is ConvertedType => convertedTypes.some((each) => each === type);

/** Writes a value of a type as in a query, and refuses any other. */
const writerOf = (expected: ConvertedType): Schema =>
  z.transform((value: unknown, { issues }) => {
    const isList = Array.isArray(value) && value.every((each) => ['string', 'number'].includes(typeof each));
    if (expected === 'array' ? isList : typeof value === expected) return String(value);
    issues.push({ code: 'invalid_type', expected, input: value });
    return z.NEVER;
  });
