import { parseArgs } from 'node:util';

// A double of the AWS CLI for the commands of docs/deploy.md: it takes the options that the real one has, and asks the
// doubles of the services.

const text = { type: 'string' } as const;
const query = { query: text, output: text };
const commands: Record<string, Record<string, typeof text>> = {
  configure: {},
  'ssm put-parameter': { type: text, name: text, value: text },
  'ssm get-parameter': { name: text, ...query },
  'cloudformation describe-stacks': { 'stack-name': text, ...query },
  'sns subscribe': { protocol: text, 'notification-endpoint': text, 'topic-arn': text },
};

const args = process.argv.slice(2);
const isOption = args.findIndex((each) => each.startsWith('--'));
const count = isOption < 0 ? args.length : isOption;
const command = args.slice(0, count).join(' ');
const options = commands[command];
if (!options) throw new Error(`aws ${command}: this double does not know it`);
const { values } = parseArgs({ args: args.slice(count), options });

async function ask(service: string, headers: Record<string, string>, body: string): Promise<string> {
  const authorization = `Credential=double/20260101/${process.env.AWS_REGION}/${service}/aws4_request`;
  const answer = await fetch(process.env.AWS_ENDPOINT_URL ?? '', {
    method: 'POST',
    headers: { authorization, ...headers },
    body,
  });
  const content = await answer.text();
  if (!answer.ok) throw new Error(`aws ${command}: ${content}`);
  return content;
}

const askParameters = (operation: string, input: object): Promise<string> =>
  ask('ssm', { 'x-amz-target': `AmazonSSM.${operation}` }, JSON.stringify(input));

async function describeOutput(): Promise<string> {
  const form = new URLSearchParams({ Action: 'DescribeStacks', StackName: values['stack-name'] ?? '' });
  const [, key] =
    /^Stacks\[0\]\.Outputs\[\?OutputKey=='(\w+)'\]\.OutputValue$/.exec(values.query ?? '') ?? [];
  const stack = await ask(
    'cloudformation',
    { 'content-type': 'application/x-www-form-urlencoded' },
    form.toString(),
  );
  const [, value] = RegExp(`<OutputKey>${key}</OutputKey><OutputValue>([^<]*)`).exec(stack) ?? [];
  if (value === undefined) throw new Error(`the stack has no output ${key}`);
  return value;
}

switch (command) {
  case 'ssm put-parameter':
    await askParameters('PutParameter', { Name: values.name, Type: values.type, Value: values.value });
    break;
  case 'ssm get-parameter':
    console.log(JSON.parse(await askParameters('GetParameter', { Name: values.name })).Parameter.Value);
    break;
  case 'cloudformation describe-stacks':
    console.log(await describeOutput());
    break;
  default:
    console.log('{}');
}
