import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { MarkedBlocks } from './marked.tsx';
import type { Provider } from './words.ts';

/** What a provider does, and what to set up there first. */
export const ProviderIntroduction = ({ provider }: { readonly provider: Provider }) => (
  <Stack gap="sm">
    <Text>{provider.description}</Text>
    {provider.deprecated !== undefined && (
      <Alert color="yellow" title="Deprecated">
        {provider.deprecated}
      </Alert>
    )}
    {provider.alerts.map(({ type, text }) => (
      <Alert key={text} color={type === 'warning' ? 'yellow' : 'blue'}>
        {text}
      </Alert>
    ))}
    {provider.howTo !== undefined && (
      <section className="card" aria-label="Before you begin">
        <Stack p="md" gap="xs">
          <Title order={2} size="h5">
            Before you begin
          </Title>
          <MarkedBlocks text={provider.howTo} />
          {provider.installation && (
            <Anchor href={provider.installation.url} target="_blank" rel="noreferrer" size="sm">
              {provider.installation.title} <IconExternalLink size={13} aria-hidden />
            </Anchor>
          )}
        </Stack>
      </section>
    )}
  </Stack>
);
