import { Stack, Text, Title } from '@mantine/core';
import { PageLink } from './link.tsx';

/** For a URL without a page. */
export const NoSuchPage = () => (
  <Stack align="center" p={{ base: 'md', sm: 48 }} gap="xs">
    <Title order={1} size="h3" ta="center">
      Page not found
    </Title>
    <Text className="quiet" ta="center">
      The URL may be wrong, or the page may have been moved or renamed.
    </Text>
    <PageLink to="/">Back to Home</PageLink>
  </Stack>
);
