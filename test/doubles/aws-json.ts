/** A table of the double. */
export interface DoubleTable {
  isProtected: boolean;
  /** Version of its data; undefined for one without. */
  version?: number | undefined;
  tags: Record<string, string>;
}

/** What DynamoDB, Systems Manager and Lambda hold. */
export interface DoubleData {
  tables: Map<string, DoubleTable>;
  parameters: Map<string, string>;
  /** Environments of functions, by name. */
  functions: Map<string, Record<string, string>>;
}

type Body = Record<string, unknown>;
export interface JsonAnswer {
  status?: number;
  /** Code of an error, for services that name it in a header. */
  errorType?: string;
  body: unknown;
}

export const refuse = (type: string, message = type): JsonAnswer => ({
  status: 400,
  body: { __type: type, message },
});

/** Answers as the services that take an operation in a header. @param target its last part: `GetItem` */
export function answerJson(target: string, input: Body, data: DoubleData): JsonAnswer {
  const name = String(input.TableName ?? '');
  const table = data.tables.get(name);
  switch (target) {
    case 'GetItem':
      if (!table) return refuse('ResourceNotFoundException');
      return {
        body: table.version === undefined ? {} : { Item: { version: { N: String(table.version) } } },
      };
    case 'ListTables':
      return listTables(data, String(input.ExclusiveStartTableName ?? ''));
    case 'UpdateTable':
      if (!table) return refuse('ResourceNotFoundException');
      table.isProtected = input.DeletionProtectionEnabled === true;
      return { body: {} };
    case 'DeleteTable':
      if (!table) return refuse('ResourceNotFoundException');
      if (table.isProtected) return refuse('ValidationException', 'deletion protection is enabled');
      data.tables.delete(name);
      return { body: {} };
    case 'GetParametersByPath':
      return {
        body: {
          Parameters: [...data.parameters.keys()]
            .filter((each) => each.startsWith(`${String(input.Path)}/`))
            .map((Name) => ({ Name })),
        },
      };
    case 'DeleteParameters':
      for (const each of [input.Names].flat()) data.parameters.delete(String(each));
      return { body: {} };
    default:
      return refuse('UnknownOperationException', target);
  }
}

const pageSize = 2;

function listTables({ tables }: DoubleData, after: string): JsonAnswer {
  const names = [...tables.keys()].filter((name) => name > after).sort();
  const page = names.slice(0, pageSize);
  return {
    body: { TableNames: page, ...(names.length > page.length && { LastEvaluatedTableName: page.at(-1) }) },
  };
}

/** The configuration of a function. */
export function answerLambda(url: string, { functions }: DoubleData): JsonAnswer {
  const [, name = ''] = /^\/2015-03-31\/functions\/([^/]+)\/configuration/.exec(url) ?? [];
  const Variables = functions.get(name);
  if (Variables) return { body: { FunctionName: name, Environment: { Variables } } };
  return {
    status: 404,
    errorType: 'ResourceNotFoundException',
    body: { Type: 'User', Message: `Function not found: ${name}` },
  };
}
