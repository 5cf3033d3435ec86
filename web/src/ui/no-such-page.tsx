import { Stack, Text, Title } from '@mantine/core';
import { PageLink } from './link.tsx';

/** For an address that no page has: mistyped, or of something that was renamed. */
export const NoSuchPage = () => (
  <Stack align="center" p={{ base: 'md', sm: 48 }} gap="xs">
    <Title order={1} size="h3" ta="center">
      There is no such page
    </Title>
    <Text className="quiet" ta="center">
      The address may be mistyped, or what it showed may have another name now.
    </Text>
    <PageLink to="/">Go to Home</PageLink>
  </Stack>
);
