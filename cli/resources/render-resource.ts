import type { Sources } from '../templates/module.ts';
import type { FieldSpec } from './parse-field.ts';
import { renderRecord } from './render-record.ts';
import { type FirstValues, renderDemo, renderTest } from './render-samples.ts';
import type { ResourceNames } from './resource-names.ts';

/** What a resource has besides the routes for administrators. */
export interface ResourceParts {
  /** Routes that everybody may read. */
  isOpen: boolean;
  /** Routes of a user's own records. */
  isOwn: boolean;
  hasTools: boolean;
}

/** The files of a resource by path from the project's root, without those that a module has once. */
export function renderResource(
  names: ResourceNames,
  fields: readonly FieldSpec[],
  parts: ResourceParts,
  first: FirstValues,
): Sources {
  const { module, files, folder } = names;
  const isOwner = ({ type, flags }: FieldSpec) => type === 'user' && flags.includes('filter');
  const own = parts.isOwn ? fields.find(isOwner)?.name : undefined;
  const root = `modules/${module}`;
  const demo = renderDemo(names, fields, first);
  const sources: [string, string][] = [
    [`${files}/${files}.ts`, renderRecord(names, fields, own)],
    ...listAdminRoutes(fields).map((name): [string, string] => [
      `Admin/${folder}/${name}.ts`,
      renderAdminRoute(names, name),
    ]),
    ...(parts.isOpen || own ? listApiRoutes(names, fields, parts, own) : []),
    ...(parts.hasTools ? listTools(names) : []),
    ...(demo === undefined ? [] : [[`${files}/demo.ts`, demo] as [string, string]]),
    [`${files}.test.ts`, renderTest(names, fields, first)],
  ];
  return new Map(sources.map(([file, text]) => [`${root}/${file}`, text]));
}

const adminRoutes = ['list', 'detail', 'add', 'edit', 'delete', 'revisions', 'import'];

const listAdminRoutes = (fields: readonly FieldSpec[]): string[] => [
  ...adminRoutes,
  ...(fields.some(({ type, name }) => type === 'status' && name === 'status') ? ['status'] : []),
];

const renderAdminRoute = ({ files, constant }: ResourceNames, route: string): string => `\
import { ${route}Route } from '#shared/records/admin-routes.ts';
import { ${constant} } from '../../${files}/${files}.ts';

export default ${route}Route(${constant});
`;

/** What administrators alone see. */
const isInternal = ({ type }: FieldSpec): boolean => type === 'admin' || type === 'user';

function listApiRoutes(
  { files, folder, constant }: ResourceNames,
  fields: readonly FieldSpec[],
  { isOpen }: ResourceParts,
  own: string | undefined,
): [string, string][] {
  const shown = fields.filter((field) => !isInternal(field));
  const names = (list: readonly FieldSpec[]) => `[${list.map(({ name }) => `'${name}'`).join(', ')}]`;
  const status = shown.find(({ type }) => type === 'status');
  const where = status ? `, where: { ${status.name}: 'enabled' }` : '';
  const sent = shown.filter((field) => field !== status);
  const render = (route: string, view: string) => `\
import { ${route}Route } from '#shared/records/api-routes.ts';
import { ${constant} } from '../../${files}/${files}.ts';

export default ${route}Route(${constant}, { fields: ${names(shown)}${view} });
`;
  const mine = isOpen ? `my-${folder}` : folder;
  const values = status ? `, values: { ${status.name}: 'enabled' }` : '';
  return [
    ...(isOpen
      ? [
          [`Api/${folder}/list.ts`, render('openList', where)] as [string, string],
          [`Api/${folder}/detail.ts`, render('openDetail', where)] as [string, string],
        ]
      : []),
    ...(own
      ? [
          [`Api/${mine}/list.ts`, render('ownList', '')] as [string, string],
          [`Api/${mine}/detail.ts`, render('ownDetail', '')] as [string, string],
          [`Api/${mine}/add.ts`, render('ownAdd', `, input: ${names(sent)}${values}`)] as [string, string],
        ]
      : []),
  ];
}

function listTools({ prefix, folder, one, several, pascal, pascals }: ResourceNames): [string, string][] {
  const tools = [
    { route: 'list', name: `list_${several}`, of: `List${pascals}` },
    { route: 'detail', name: `get_${one}`, of: `Get${pascal}` },
    { route: 'add', name: `add_${one}`, of: `Add${pascal}` },
    { route: 'edit', name: `edit_${one}`, of: `Edit${pascal}` },
  ];
  return tools.flatMap(({ route, name, of }): [string, string][] => [
    [
      `Mcp/Tools/${of}Tool.ts`,
      `\
import { fromRoute } from '#shared/tools/from-route.ts';
import ${route}Route from '../../Admin/${folder}/${route}.ts';

export default class ${of}Tool extends fromRoute(${route}Route, { name: '${prefix}.${name}' }) {}
`,
    ],
    [
      `Ai/Tools/${of}Tool.ts`,
      `\
import { adapt } from '#shared/tools/ai-tool.ts';
import Mcp${of}Tool from '../../Mcp/Tools/${of}Tool.ts';

export default class ${of}Tool extends adapt(Mcp${of}Tool) {}
`,
    ],
  ]);
}
