import { describe, expect, it } from '@jest/globals';
import { checkResources } from '#cli/package/check-resources.ts';

const table = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    Tags: [{ Key: 'stage', Value: 'dev' }],
  },
};

const check = (Properties: Record<string, unknown>, Type = table.Type) =>
  checkResources({ Resources: { Table: { Type, Properties: { ...table.Properties, ...Properties } } } });

describe('resources of a template', () => {
  it('are good as AWS describes them, with computed values anywhere', () => {
    expect(check({})).toEqual([]);
    expect(check({ TableName: { 'Fn::ImportValue': 'name' }, Tags: { Ref: 'Tags' } })).toEqual([]);
    // CloudFormation takes texts for booleans and numbers.
    expect(check({ DeletionProtectionEnabled: 'true' })).toEqual([]);
  });

  it('are refused if AWS does not know their type', () => {
    expect(checkResources({ Resources: { Table: { Type: 'AWS::DynamoDB::Tabel' } } })).toEqual([
      'Table: AWS has no resource AWS::DynamoDB::Tabel',
    ]);
  });

  it('are refused without a property that they need', () => {
    expect(checkResources({ Resources: { Table: { Type: table.Type, Properties: {} } } })).toEqual([
      'Table lacks KeySchema',
    ]);
    expect(check({ KeySchema: [{ AttributeName: 'pk' }] })).not.toEqual([]);
  });

  it.each([
    [{ BilingMode: 'PROVISIONED' }, 'Table has an unknown BilingMode'],
    [
      { PointInTimeRecoverySpecification: { Enabled: true } },
      'Table.PointInTimeRecoverySpecification has an unknown Enabled',
    ],
    [{ DeletionProtectionEnabled: 'yes' }, 'Table.DeletionProtectionEnabled is no boolean'],
    [{ AttributeDefinitions: { AttributeName: 'pk' } }, 'Table.AttributeDefinitions is no array'],
    [
      { ProvisionedThroughput: { ReadCapacityUnits: 1.5, WriteCapacityUnits: 1 } },
      'Table.ProvisionedThroughput.ReadCapacityUnits is no integer',
    ],
    [{ Tags: [{ key: 'stage' }] }, 'Table.Tags.0 is no tag'],
  ])('are refused for %j', (properties, fault) => {
    expect(check(properties)).toContain(fault);
  });

  it('are refused for a value that AWS does not allow', () => {
    const Properties = { Code: { ZipFile: 'x' }, Role: 'arn:aws:iam::1:role/a', PackageType: 'Tar' };
    expect(checkResources({ Resources: { Each: { Type: 'AWS::Lambda::Function', Properties } } })).toEqual([
      'Each.PackageType is "Tar": use Image, Zip',
    ]);
  });
});
