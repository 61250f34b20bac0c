import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPackage, templateFile } from '../deploy/package.ts';
import { root } from '../project.ts';
import { checkResources } from './check-resources.ts';
import { checkTemplate, kindOfStack, listExports, type Template } from './check-stack.ts';

/** Deployments whose templates differ from the usual ones, with their variables. */
const variants: readonly { title: string; stage: string; variables: NodeJS.ProcessEnv }[] = [
  { title: 'a preview', stage: 'pr-1', variables: { PREVIEW: 'own' } },
  {
    title: 'a stage with EDGE=1',
    stage: 'edge',
    variables: {
      EDGE: '1',
      S3_BUCKET: 'create',
      EDGE_DOMAIN: 'www.example.com',
      EDGE_CERTIFICATE_ARN: 'arn:aws:acm:us-east-1:123456789012:certificate/a',
      EDGE_WEB_ACL_ARN: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/b',
      CORS_ORIGINS: 'https://app.example.com',
    },
  },
];

/**
 * Packages `core` and one module as other deployments would, and checks their templates. The other modules have the
 * same kinds of resources.
 *
 * @param stacks `core`, then the module
 * @returns the titles of the deployments
 * @throws Error naming a stack and its faults
 */
export function checkVariants(stacks: readonly string[]): string[] {
  return variants.map(({ title, stage, variables }) => {
    const exported = new Set<string>();
    for (const stack of stacks) {
      const folder = join('.build', 'packages', `${stack}-${stage}`);
      runPackage(root, stack, stage, folder, variables);
      const template: Template = JSON.parse(readFileSync(join(root, folder, templateFile), 'utf8'));
      for (const name of listExports(template)) exported.add(name);
      const faults = [...checkTemplate(template, exported, kindOfStack(stack)), ...checkResources(template)];
      if (faults.length > 0) throw new Error(`${stack} of ${title}: ${faults.join('; ')}`);
    }
    return title;
  });
}
