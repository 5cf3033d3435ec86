import { Group, Skeleton, Stack, Table } from '@mantine/core';

/** In the shape of the list: a search field with filters, and rows with a picture, name and email. */
export const UsersWaiting = () => (
  <Stack gap="md" role="status" aria-busy="true" aria-label="Loading users">
    <Group gap="sm">
      <Skeleton height={36} flex={1} miw={200} />
      <Skeleton height={36} width={120} />
      <Skeleton height={36} width={320} maw="100%" />
    </Group>
    <div className="card">
      <Table verticalSpacing={8} horizontalSpacing="md" aria-hidden>
        <Table.Tbody>
          {Array.from({ length: 8 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical and never move
            <Table.Tr key={index}>
              <Table.Td>
                <Group gap="sm" wrap="nowrap">
                  <Skeleton circle height={28} />
                  <Stack gap={6}>
                    <Skeleton height={12} width={140} />
                    <Skeleton height={10} width={180} />
                  </Stack>
                </Group>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Skeleton height={30} width={110} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Skeleton height={12} width={90} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Skeleton height={12} width={70} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  </Stack>
);
