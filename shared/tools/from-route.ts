import * as z from 'zod/mini';
import { convertMedia } from '#shared/media/convert-media.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { McpTool, type ToolAccess, type ToolContext, type ToolSchema } from './mcp-tool.ts';

type Schema = z.core.$ZodType;

/** What a tool uses of a route. Discovery checks the rest (`functions/check-route-tool.ts`). */
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
  /** Fields of the result that are left out: large ones, because a result holds 64 KiB. */
  omit?: readonly string[];
}

/** A tool without abstract members. */
interface ConcreteTool extends Omit<McpTool, 'handle'> {
  handle(args: Record<string, unknown>, context: ToolContext): Promise<unknown>;
}

/**
 * Makes a tool of a route of `Admin/`: `class ListTool extends fromRoute(listRoute, { name: 'article.list' }) {}`. It
 * has the route's input, result, permission, validation, handler and audit.
 */
export function fromRoute(route: ToolRoute, options: RouteToolOptions): new () => ConcreteTool {
  const { name, description, isDestructive, isIdempotent, confirm, omit = [] } = options;
  const access: ToolAccess = route.method === 'GET' || route.right === 'read' ? 'read' : 'write';
  const inputSchema = route.body ? asObject(route.body) : toStrictQuery(route.query);
  const outputSchema = omit.length > 0 ? z.omit(asObject(route.data), toMask(omit)) : route.data;
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
      if (omit.length === 0) return data;
      return Object.fromEntries(Object.entries(Object(data)).filter(([field]) => !omit.includes(field)));
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
  const { def } = asObject(query)._zod;
  const shape = Object.fromEntries(
    Object.entries<Schema>(def.shape).map(([name, field]) => [name, acceptJson(field)]),
  );
  // A clone keeps the checks of the whole query.
  return z.clone(asObject(query), { ...def, shape, catchall: z.never() });
}

/** The schema of a query parameter, for its value in JSON: it becomes text and is checked as such. */
function acceptJson(field: Schema): Schema {
  if (field instanceof z.ZodMiniOptional || field instanceof z.ZodMiniDefault) {
    const { def } = field._zod;
    const inner = { ...def, innerType: acceptJson(def.innerType) };
    return z.clone(field as Schema, inner, { parent: true });
  }
  const write = field instanceof z.ZodMiniPipe && writers[typeAfter(field)];
  return write ? z.pipe(z.transform(write), field) : field;
}

/** The type of a parsed value. */
const typeAfter = (schema: Schema): string =>
  schema instanceof z.ZodMiniPipe ? typeAfter(schema._zod.def.out) : schema._zod.def.type;

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
const writeText = (value: unknown) => (isPlain(value) ? String(value) : value);
const writeList = (value: unknown) =>
  Array.isArray(value) && value.every(isPlain) ? value.join(',') : value;

/** Write values as in a query, by type. A value that a query cannot have stays, and is refused. */
const writers: Record<string, (value: unknown) => unknown> = {
  number: writeText,
  boolean: writeText,
  array: writeList,
};
