import { describe, expect, it } from '@jest/globals';
import { checkTemplate, kindOfStack, listExports } from '#cli/package/check-stack.ts';

const template = (Properties: Record<string, unknown>) => ({
  Resources: { A: { Type: 'T', Properties }, B: { Type: 'T' } },
});

describe('checkTemplate', () => {
  it.each<[string, Record<string, unknown>]>([
    ['Ref', { x: { Ref: 'B' } }],
    ['Ref of a pseudo parameter', { x: { Ref: 'AWS::Region' } }],
    ['Fn::GetAtt as a list', { x: [{ 'Fn::GetAtt': ['B', 'Arn'] }] }],
    ['Fn::GetAtt as a text', { x: { 'Fn::GetAtt': 'B.Arn' } }],
    ['Fn::Sub', { x: { 'Fn::Sub': `\${B.Arn}/\${AWS::Region}/\${!Literal}` } }],
    ['Fn::ImportValue', { x: { 'Fn::ImportValue': 'exported' } }],
  ])('takes a reference by %s', (_name, properties) => {
    expect(checkTemplate(template(properties), new Set(['exported']))).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['Ref', { x: { Ref: 'C' } }],
    ['Fn::GetAtt', { x: { y: [{ 'Fn::GetAtt': ['C', 'Arn'] }] } }],
    ['Fn::Sub', { x: { 'Fn::Sub': `\${C.Arn}` } }],
    ['Fn::ImportValue', { x: { 'Fn::ImportValue': 'C' } }],
  ])('finds a reference by %s to a missing resource', (_name, properties) => {
    expect(checkTemplate(template(properties), new Set())).toEqual([expect.stringMatching(/ C$/)]);
  });

  it('finds a stack that is too large', () => {
    const withResources = (length: number) => ({
      Resources: Object.fromEntries(Array.from({ length }, (_, index) => [`R${index}`, { Type: 'T' }])),
    });
    const none = new Set<string>();

    expect(checkTemplate(withResources(400), none)).toEqual([]);
    expect(checkTemplate(withResources(401), none)).toEqual(['401 resources: split the stack']);
    expect(checkTemplate(withResources(480), none, kindOfStack('aggregate'))).toEqual([]);
    expect(checkTemplate(withResources(481), none, kindOfStack('aggregate'))).toEqual([
      '481 resources: leave out modules, or `revisions` of records',
    ]);
    expect(checkTemplate(withResources(500), none, 'whole')).toEqual([]);
    expect(checkTemplate(withResources(501), none, 'whole')).toEqual([
      '501 resources: deploy one stack a module instead',
    ]);
  });
});

it('lists the exports of a template', () => {
  expect(listExports({ Resources: {}, Outputs: { A: { Export: { Name: 'a' } }, B: {} } })).toEqual(['a']);
});
