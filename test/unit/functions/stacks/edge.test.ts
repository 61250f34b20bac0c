import '../../../support/environment.ts';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkResources } from '#cli/package/check-resources.ts';
import { checkTemplate, type Template } from '#cli/package/check-stack.ts';
import { renderHandler } from '#functions/bundle/entry.ts';
import { countFullestApi } from '#functions/checks/check-api.ts';
import { discover } from '#functions/discover/discover.ts';
import { listPaths, type Manifest } from '#functions/model.ts';
import { describeCors } from '#functions/stacks/deployment.ts';
import {
  type Edge,
  findApi,
  listApis,
  listPatterns,
  moveRoutes,
  readEdge,
  toId,
} from '#functions/stacks/edge.ts';
import { awsLimits } from '#functions/stacks/limits.ts';
import { createResources } from '#functions/stacks/resources.ts';
import { foundModule, foundRoute } from '../fixtures.ts';

const domain = {
  EDGE_DOMAIN: 'www.example.com',
  EDGE_CERTIFICATE_ARN: 'arn:aws:acm:us-east-1:123456789012:certificate/0a-1b',
};
const EDGE_WEB_ACL_ARN = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/flood/0a-1b';
let manifest: Manifest;
let prefixes: string[];

beforeAll(async () => {
  manifest = await discover(resolve('.'));
  prefixes = listApis(manifest);
});

describe('readEdge', () => {
  it('reads the settings, all of which may be missing', () => {
    expect(readEdge({})).toBeUndefined();
    expect(readEdge({ EDGE: '' })).toBeUndefined();
    expect(readEdge({ EDGE: '1' })).toEqual({
      domain: undefined,
      certificateArn: undefined,
      webAclArn: undefined,
    });
    expect(readEdge({ EDGE: '1', ...domain, EDGE_WEB_ACL_ARN })).toEqual({
      domain: domain.EDGE_DOMAIN,
      certificateArn: domain.EDGE_CERTIFICATE_ARN,
      webAclArn: EDGE_WEB_ACL_ARN,
    });
  });

  it.each([
    [{ EDGE: 'on' }, 'EDGE is "on"'],
    [domain, 'EDGE_DOMAIN is set without EDGE=1'],
    [{ EDGE: '1', EDGE_DOMAIN: domain.EDGE_DOMAIN }, 'EDGE_CERTIFICATE_ARN is not set'],
    [{ EDGE: '1', EDGE_CERTIFICATE_ARN: domain.EDGE_CERTIFICATE_ARN }, 'EDGE_DOMAIN is not set'],
    [{ EDGE: '1', ...domain, EDGE_DOMAIN: 'https://a.example' }, 'EDGE_DOMAIN is "https://a.example"'],
    [
      { EDGE: '1', ...domain, EDGE_CERTIFICATE_ARN: 'arn:aws:acm:eu-central-1:123456789012:certificate/a' },
      'EDGE_CERTIFICATE_ARN is',
    ],
    [{ EDGE: '1', EDGE_WEB_ACL_ARN: 'arn:aws:wafv2:eu-west-1:1:regional/a' }, 'EDGE_WEB_ACL_ARN is'],
  ])('refuses %j', (environment, message) => {
    expect(() => readEdge(environment)).toThrow(message);
  });
});

/** The origin that CloudFront takes for a path: the first behaviour that fits, else the default. */
function route(path: string, { CacheBehaviors, DefaultCacheBehavior }: Distribution): string {
  const found = CacheBehaviors.find(({ PathPattern }) =>
    new RegExp(`^${PathPattern.replace('*', '.*')}$`).test(path),
  );
  return (found ?? DefaultCacheBehavior).TargetOriginId;
}

interface Behavior {
  TargetOriginId: string;
  AllowedMethods: string[];
  CachePolicyId: string;
}
interface Distribution {
  Origins: { Id: string; OriginCustomHeaders: object[] }[];
  CacheBehaviors: (Behavior & { PathPattern: string })[];
  DefaultCacheBehavior: Behavior;
  Aliases?: string[];
  WebACLId?: string;
}

const secret = '{{resolve:ssm:/backend/prod/EDGE_SECRET}}';

function createCore(settings: Partial<Edge> = {}): Template {
  const cors = describeCors({ CORS_ORIGINS: 'https://app.example.com' });
  const edge = { settings: { prefixes, ...settings }, secret, cors };
  return Object(createResources({ stage: 'prod', stack: 'core' }, {}, { edge }));
}

const readDistribution = ({ Resources }: Template): Distribution =>
  Object(Resources.Edge?.Properties).DistributionConfig;

describe('the core stack with CloudFront', () => {
  it('has what AWS takes, with and without a domain and a firewall', () => {
    const [domainName, certificateArn] = Object.values(domain);
    const templates = [
      createCore(),
      createCore({ domain: domainName, certificateArn, webAclArn: EDGE_WEB_ACL_ARN }),
    ];

    for (const { Resources } of templates) {
      // The framework completes this one.
      const { HttpApiStage: _stage, ...others } = Resources;
      expect(checkResources({ Resources: others })).toEqual([]);
    }
    const [plain, full] = templates.map(readDistribution);
    expect(plain).not.toHaveProperty('Aliases');
    expect(full).toMatchObject({ Aliases: [domainName], WebACLId: EDGE_WEB_ACL_ARN });
  });

  it('refers to nothing that it lacks', () => {
    const { Resources } = createCore();
    const compiled = { HttpApi: { Type: 'a' }, DefaultLambdaFunction: { Type: 'a' } };

    expect(checkTemplate({ Resources: { ...Resources, ...compiled } }, new Set())).toEqual([]);
  });

  it('sends every path of a module to its HTTP API, and all others to that of core', () => {
    const distribution = readDistribution(createCore());
    const origins = new Map(prefixes.map((prefix) => [prefix, `HttpApi${toId(prefix)}`]));
    expect(origins.get('user-center')).toBe('HttpApiUserCenter');

    for (const path of manifest.routes.flatMap(listPaths)) {
      const [, area, prefix = ''] = path.split('/');
      const isOfModule = area === 'adminapi' || area === 'api';
      expect([path, route(path, distribution)]).toEqual([path, isOfModule ? origins.get(prefix) : 'core']);
    }
    for (const path of [
      '/',
      '/health',
      '/api/none/list',
      '/api/article',
      '/x/api/article/list',
      '/apiarticle/a',
    ])
      expect(route(path, distribution)).toBe('core');
  });

  it('caches nothing, passes all methods, and sends the secret to every origin', () => {
    const { Origins, CacheBehaviors, DefaultCacheBehavior } = readDistribution(createCore());

    expect(Origins.map(({ Id }) => Id)).toEqual([
      'core',
      ...prefixes.map((prefix) => `HttpApi${toId(prefix)}`),
    ]);
    for (const { OriginCustomHeaders } of Origins)
      expect(OriginCustomHeaders).toEqual([{ HeaderName: 'x-origin-secret', HeaderValue: secret }]);
    for (const behavior of [...CacheBehaviors, DefaultCacheBehavior]) {
      // Ids of the managed policies, as AWS documents them.
      expect(behavior).toMatchObject({
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      });
      expect(behavior.AllowedMethods.toSorted()).toEqual([
        'DELETE',
        'GET',
        'HEAD',
        'OPTIONS',
        'PATCH',
        'POST',
        'PUT',
      ]);
    }
  });

  it('names its headers as CloudFront allows', () => {
    const text = JSON.stringify(createCore().Resources);
    const names = [...text.matchAll(/\bx-[a-z-]+/g)].map(([name]) => name);

    // "Custom headers that CloudFront can't add to origin requests", and "Restrictions on all edge functions".
    for (const name of names) expect(name).not.toMatch(/^x-(?:edge|amz|amzn|cache|real-ip|forwarded)/);
    expect(names).toEqual(expect.arrayContaining(['x-origin-secret', 'x-visitor-address']));
  });

  it('replaces an address that the visitor sent by the real one', () => {
    const { Resources } = createCore();
    const { FunctionCode } = Object(Resources.EdgeAddress?.Properties);
    const handler = new Function(`${FunctionCode}; return handler;`)();
    const request = { headers: { 'x-visitor-address': { value: '198.51.100.1' }, accept: { value: '*/*' } } };

    expect(handler({ request, viewer: { ip: '203.0.113.9' } }).headers).toEqual({
      'x-visitor-address': { value: '203.0.113.9' },
      accept: { value: '*/*' },
    });
  });

  it('shows every HTTP API in the dashboard', () => {
    const edge = { settings: { prefixes }, secret, cors: undefined };
    const { Resources } = createResources({ stage: 'prod', stack: 'core' }, {}, { edge, watched: {} });
    const text = JSON.stringify(Object(Resources));

    for (const id of ['HttpApi', 'HttpApiArticle', 'HttpApiSystem', 'HttpApiUserCenter'])
      expect(text).toContain(`ApiId\\",\\"\${${id}}`);
  });

  it('exports the HTTP API of each module, and its own URL', () => {
    const { Outputs = {} } = createCore();

    expect(Outputs).toMatchObject({
      EdgeUrl: { Export: { Name: 'backend-prod-EdgeUrl' } },
      HttpApiIdUserCenter: { Value: { Ref: 'HttpApiUserCenter' } },
      PublicUrl: { Export: { Name: 'backend-prod-PublicUrl' } },
    });
  });
});

describe('the routes of a module stack', () => {
  const base = { 'Fn::ImportValue': 'backend-prod-HttpApiId' };
  const own = { 'Fn::ImportValue': 'backend-prod-HttpApiIdArticle' };
  const target = { stage: 'prod', stack: 'article' };
  const compile = (...keys: string[]) => ({
    List: { Type: 'AWS::Lambda::Function', Properties: {} },
    Permission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        FunctionName: { 'Fn::GetAtt': ['List', 'Arn'] },
        SourceArn: { 'Fn::Join': ['', [base, '/*']] },
      },
    },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { ApiId: base, IntegrationUri: { 'Fn::GetAtt': ['List', 'Arn'] } },
    },
    ...Object.fromEntries(
      keys.map((RouteKey, index) => [
        `Route${index}`,
        {
          Type: 'AWS::ApiGatewayV2::Route',
          Properties: {
            ApiId: base,
            RouteKey,
            Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] },
          },
        },
      ]),
    ),
  });

  it('move to its HTTP API, with integration and permission', () => {
    const resources = compile('GET /api/article/list', 'HEAD /api/article/list');

    moveRoutes(resources, target, { prefixes, base });

    expect(JSON.stringify(resources)).not.toContain(JSON.stringify(base));
    expect(resources.Permission.Properties.SourceArn).toEqual({ 'Fn::Join': ['', [own, '/*']] });
  });

  it('stay with core if their paths are outside', () => {
    const resources = compile('GET /storage/{path+}', '$default');
    const before = structuredClone(resources);

    moveRoutes(resources, target, { prefixes, base });

    expect(resources).toEqual(before);
  });

  it('are refused if one function has routes of two HTTP APIs', () => {
    const resources = compile('GET /api/article/list', 'GET /health');

    expect(() => moveRoutes(resources, target, { prefixes, base })).toThrow('routes of two HTTP APIs');
  });

  it('are counted by HTTP API, each with the answer to unknown paths', () => {
    const modules = ['Large', 'Small'].map((name) => foundModule(name));
    const routes = ['Large', 'Small'].flatMap((module, at) =>
      Array.from({ length: 250 - 100 * at }, (_, index) =>
        foundRoute({
          module,
          path: `/adminapi/${module.toLowerCase()}/${index}`,
          functionName: `${module}-${index}`,
        }),
      ),
    );

    expect(countFullestApi({ modules, routes }, false).integrations).toBe(401);
    expect(countFullestApi({ modules, routes }, true).integrations).toBe(251);
    expect(awsLimits.integrations).toBe(300);
  });
});

describe('paths', () => {
  it('belong to the module with exactly this prefix', () => {
    expect(findApi('/api/user-center/profile', ['user', 'user-center'])).toBe('user-center');
    expect(findApi('/api/user/profile', ['user', 'user-center'])).toBe('user');
    expect(findApi('/api/users/profile', ['user'])).toBeUndefined();
    expect(listPatterns('shop')).toEqual(['/adminapi/shop/*', '/api/shop/*']);
  });
});

describe('an entry behind CloudFront', () => {
  it('calls its handler only with the secret, and refuses everything without one on AWS', () => {
    expect(renderHandler("a({ text: '$1; $&' })", ["import { a } from 'a';"], true)).toBe(
      `import { behindEdge } from '#shared/http/edge.ts';\nimport { a } from 'a';\n\nexport const handler = behindEdge(a({ text: '$1; $&' }), process.env.EDGE_SECRET ?? (process.env.AWS_LAMBDA_FUNCTION_NAME && ''));\n`,
    );
  });
});
