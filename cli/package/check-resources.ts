import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType, SpecDatabase } from '@aws-cdk/service-spec-types';
import type { Template } from './check-stack.ts';

let loaded: SpecDatabase | undefined;

/** The resource specification that AWS publishes, as of the installed package. It takes a second to load. */
function loadSpecification(): SpecDatabase {
  loaded ??= loadAwsServiceSpecSync();
  return loaded;
}

/**
 * What CloudFormation would refuse in the resources of a template: unknown types, unknown and missing properties, values
 * of another kind. Values that are known after a deployment only (`Ref`, `Fn::…`) fit everywhere.
 *
 * @returns faults, each with the path of its value: `Table.BillingMode`
 */
export function checkResources({ Resources }: Pick<Template, 'Resources'>): string[] {
  const specification = loadSpecification();
  return Object.entries(Resources).flatMap(([name, { Type, Properties = {} }]) => {
    const [resource] = specification.lookup('resource', 'cloudFormationType', 'equals', Type);
    if (!resource) return [`${name}: AWS has no resource ${Type}`];
    return checkObject(specification, name, resource, Properties);
  });
}

interface Described {
  properties: Readonly<Record<string, Property>>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether CloudFormation computes a value. */
function isComputed(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const [key = '', ...others] = Object.keys(value);
  return others.length === 0 && (key === 'Ref' || key.startsWith('Fn::'));
}

function checkObject(
  specification: SpecDatabase,
  path: string,
  { properties }: Described,
  value: Record<string, unknown>,
): string[] {
  const missing = Object.keys(properties).filter((key) => properties[key]?.required && !(key in value));
  return [
    ...missing.map((key) => `${path} lacks ${key}`),
    ...Object.entries(value).flatMap(([key, inner]) => {
      const property = properties[key];
      return property
        ? checkValue(specification, `${path}.${key}`, property.type, inner)
        : [`${path} has an unknown ${key}`];
    }),
  ];
}

/** CloudFormation takes numbers and booleans as text too, and numbers for texts. */
const primitives: Partial<Record<PropertyType['type'], (value: unknown) => boolean>> = {
  string: (value) => ['string', 'number', 'boolean'].includes(typeof value),
  'date-time': (value) => typeof value === 'string',
  number: (value) => value !== '' && Number.isFinite(Number(value)),
  integer: (value) => value !== '' && Number.isInteger(Number(value)),
  boolean: (value) => ['true', 'false'].includes(String(value)),
  json: (value) => isRecord(value) || typeof value === 'string',
  null: (value) => value === null,
  tag: (value) => isRecord(value) && 'Key' in value && 'Value' in value,
};

function checkValue(specification: SpecDatabase, path: string, type: PropertyType, value: unknown): string[] {
  if (isComputed(value)) return [];
  const wrong = [`${path} is no ${type.type}`];
  switch (type.type) {
    case 'ref':
      if (!isRecord(value)) return wrong;
      return checkObject(specification, path, specification.get('typeDefinition', type.reference), value);
    case 'array':
      if (!Array.isArray(value)) return wrong;
      return value.flatMap((each, at) => checkValue(specification, `${path}.${at}`, type.element, each));
    case 'map':
      if (!isRecord(value)) return wrong;
      return Object.entries(value).flatMap(([key, each]) =>
        checkValue(specification, `${path}.${key}`, type.element, each),
      );
    case 'union': {
      const faults = type.types.map((each) => checkValue(specification, path, each, value));
      // The kind that fits best.
      return faults.reduce((best, each) => (each.length < best.length ? each : best));
    }
    default:
      if (!primitives[type.type]?.(value)) return wrong;
      return checkAllowed(path, type, value);
  }
}

function checkAllowed(path: string, type: PropertyType, value: unknown): string[] {
  const allowed: readonly unknown[] | undefined = 'allowedValues' in type ? type.allowedValues : undefined;
  return !allowed || allowed.map(String).includes(String(value))
    ? []
    : [`${path} is "${value}": use ${allowed.join(', ')}`];
}
