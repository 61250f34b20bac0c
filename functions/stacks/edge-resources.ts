import { serviceName } from '../names.ts';
import { type Edge, listPatterns, toId } from './edge.ts';
import type { DeployTarget } from './stack.ts';

interface HttpApiParts {
  /** Properties of the stage of an HTTP API: its throttle and access log. */
  stage: object;
  cors: object | undefined;
  alarm: (api: object, title: string) => object;
}

/** The HTTP APIs of modules, and CloudFront before all of them. Unknown paths get the answer of `core` everywhere. */
export function createEdge({ stage }: DeployTarget, edge: Edge, secret: string, parts: HttpApiParts) {
  const apis = edge.prefixes.map((prefix) => createApi(stage, prefix, parts));
  return {
    ...Object.assign({}, ...apis),
    EdgeAddress: {
      Type: 'AWS::CloudFront::Function',
      Properties: {
        Name: `${serviceName}-${stage}-address`,
        AutoPublish: true,
        FunctionConfig: { Comment: 'Adds the address of the visitor', Runtime: 'cloudfront-js-2.0' },
        FunctionCode: addressCode,
      },
    },
    Edge: {
      Type: 'AWS::CloudFront::Distribution',
      Properties: { DistributionConfig: describeDistribution(stage, edge, secret) },
    },
  };
}

/** Replaces what the visitor sent under this name. */
const addressCode = `function handler(event) {
  var request = event.request;
  request.headers['x-visitor-address'] = { value: event.viewer.ip };
  return request;
}
`;

function createApi(stage: string, prefix: string, { stage: settings, cors, alarm }: HttpApiParts) {
  const id = `HttpApi${toId(prefix)}`;
  const api = { Ref: id };
  const fallback = { 'Fn::GetAtt': ['DefaultLambdaFunction', 'Arn'] };
  const arn = `arn:\${AWS::Partition}:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${${id}}/*`;
  const integration = {
    ApiId: api,
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: fallback,
    PayloadFormatVersion: '2.0',
    TimeoutInMillis: 30_000,
  };
  const permission = {
    FunctionName: fallback,
    Action: 'lambda:InvokeFunction',
    Principal: 'apigateway.amazonaws.com',
    SourceArn: { 'Fn::Sub': arn },
  };
  const target = { 'Fn::Join': ['/', ['integrations', { Ref: `${id}Integration` }]] };
  const define = (type: string, Properties: object) => ({ Type: `AWS::ApiGatewayV2::${type}`, Properties });
  return {
    [id]: define('Api', {
      Name: `${stage}-${serviceName}-${prefix}`,
      ProtocolType: 'HTTP',
      ...(cors && { CorsConfiguration: cors }),
    }),
    [`${id}Stage`]: define('Stage', { ApiId: api, StageName: '$default', AutoDeploy: true, ...settings }),
    [`${id}Integration`]: define('Integration', integration),
    [`${id}Route`]: define('Route', { ApiId: api, RouteKey: '$default', Target: target }),
    [`${id}Permission`]: { Type: 'AWS::Lambda::Permission', Properties: permission },
    [`${id}Alarm`]: alarm(api, `API of ${prefix} answers with status 500 or above`),
  };
}

/** Managed policies of AWS: `CachingDisabled`, and `AllViewerExceptHostHeader`. */
const policies = {
  CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
};

const toOriginId = (id: string): string => (id === 'HttpApi' ? 'core' : id);

function describeDistribution(stage: string, edge: Edge, secret: string): object {
  const { prefixes, domain, certificateArn, webAclArn, revision } = edge;
  const describeOrigin = (id: string) => ({
    Id: toOriginId(id),
    DomainName: { 'Fn::Sub': `\${${id}}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}` },
    CustomOriginConfig: {
      OriginProtocolPolicy: 'https-only',
      OriginSSLProtocols: ['TLSv1.2'],
      // The gateway ends a request after 30 s.
      OriginReadTimeout: 35,
    },
    OriginCustomHeaders: [{ HeaderName: 'x-origin-secret', HeaderValue: secret }],
  });
  const describeBehavior = (id: string) => ({
    TargetOriginId: toOriginId(id),
    ViewerProtocolPolicy: 'redirect-to-https',
    AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    Compress: false,
    ...policies,
    FunctionAssociations: [
      {
        EventType: 'viewer-request',
        FunctionARN: { 'Fn::GetAtt': ['EdgeAddress', 'FunctionMetadata.FunctionARN'] },
      },
    ],
  });
  const ids = prefixes.map((prefix) => `HttpApi${toId(prefix)}`);
  return {
    Enabled: true,
    Comment: [serviceName, stage, revision].filter(Boolean).join(' '),
    HttpVersion: 'http2and3',
    IPV6Enabled: true,
    Origins: ['HttpApi', ...ids].map(describeOrigin),
    DefaultCacheBehavior: describeBehavior('HttpApi'),
    CacheBehaviors: prefixes.flatMap((prefix, index) =>
      listPatterns(prefix).map((PathPattern) => ({ PathPattern, ...describeBehavior(ids[index] ?? '') })),
    ),
    ...(webAclArn && { WebACLId: webAclArn }),
    ...(domain && {
      Aliases: [domain],
      ViewerCertificate: {
        AcmCertificateArn: certificateArn,
        SslSupportMethod: 'sni-only',
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    }),
  };
}
