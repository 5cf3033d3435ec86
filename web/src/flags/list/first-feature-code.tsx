import { Box } from '@mantine/core';
import { instanceUrl } from '../../access/tokens/instance-url.ts';
import { createFeatureSnippet } from '../../access/tokens/snippets/admin-snippets.ts';
import { backendSnippets } from '../../access/tokens/snippets/backend-snippets.ts';
import { Snippets } from '../../ui/copyable.tsx';

/** Creates a feature by the API, and evaluates it with an SDK. */
export function FirstFeatureCode({ project }: { readonly project: string }) {
  const url = instanceUrl();
  const evaluating = backendSnippets({
    url,
    secret: '<backend token>',
    feature: 'my-first-feature',
  }).filter(({ language }) => language !== 'curl');
  return (
    <Box w="100%" ta="left">
      <Snippets snippets={[createFeatureSnippet(url, project), ...evaluating]} />
    </Box>
  );
}
