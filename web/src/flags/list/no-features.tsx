import { Code, Stack, Tabs, Text } from '@mantine/core';
import { basePath } from '../../api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { NewFeatureButton } from '../create/new-feature.tsx';
import { cleared } from './chosen-filters.ts';
import classes from './feature-list.module.css';
import { type FeatureSearch, isFiltered } from './search.ts';

const Snippet = ({ text }: { readonly text: string }) => (
  <Stack gap={6} className={classes.snippet}>
    <Code block tabIndex={0}>
      {text}
    </Code>
    <CopyButton text={text} size="compact-xs" w="fit-content" />
  </Stack>
);

/** Code with the URL of this installation. */
function snippetsFor(project: string) {
  const address = `${window.location.origin}${basePath}`;
  return {
    curl: `curl -X POST '${address}api/admin/projects/${project}/features' \\
  -H 'Authorization: <personal access token>' \\
  -H 'Content-Type: application/json' \\
  -d '{"name": "my-first-feature"}'`,
    node: `// npm install unleash-client
import { initialize } from 'unleash-client';

const flags = initialize({
  url: '${address}api/',
  appName: 'my-app',
  customHeaders: { Authorization: '<backend token>' },
});

flags.on('synchronized', () => {
  console.log(flags.isEnabled('my-first-feature'));
});`,
    python: `# pip install UnleashClient
from UnleashClient import UnleashClient

flags = UnleashClient(
    url="${address}api/",
    app_name="my-app",
    custom_headers={"Authorization": "<backend token>"},
)
flags.initialize_client()
print(flags.is_enabled("my-first-feature"))`,
  };
}

interface Props {
  readonly search: FeatureSearch;
  readonly onChange: (search: FeatureSearch) => void;
  readonly project: string | undefined;
}

/** An empty list says what to do next: it depends on why it is empty. */
export function NoFeatures({ search, onChange, project }: Props) {
  if (isFiltered(search)) {
    const name = /^[\w.~-]+$/.test(search.query ?? '') ? search.query : undefined;
    return (
      <NoMatch what="features" onClear={() => onChange(cleared(search))}>
        {name !== undefined && (
          <NewFeatureButton project={project} name={name} label={`Create ${name}`} />
        )}
      </NoMatch>
    );
  }
  if (search.archived) {
    return (
      <EmptyState title="No archived features">
        Archived features stay here until you revive or delete them.
      </EmptyState>
    );
  }
  const { curl, node, python } = snippetsFor(project ?? 'default');
  return (
    <EmptyState title="No features yet">
      <Stack align="center" maw={640} miw={0}>
        <Text size="sm">
          A feature controls whether part of your application is enabled, and for whom. Create one,
          then check it in your code.
        </Text>
        <NewFeatureButton project={project} />
        <Tabs defaultValue="curl" w="100%">
          <Tabs.List>
            <Tabs.Tab value="curl">curl</Tabs.Tab>
            <Tabs.Tab value="node">Node.js</Tabs.Tab>
            <Tabs.Tab value="python">Python</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="curl" pt="sm">
            <Snippet text={curl} />
          </Tabs.Panel>
          <Tabs.Panel value="node" pt="sm">
            <Snippet text={node} />
          </Tabs.Panel>
          <Tabs.Panel value="python" pt="sm">
            <Snippet text={python} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </EmptyState>
  );
}
