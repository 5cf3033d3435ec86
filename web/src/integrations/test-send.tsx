import { Alert, Modal, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useRefusal } from '../me.ts';
import { GuardedButton } from '../ui/guarded.tsx';
import { AttemptView, messageOf } from './exchange.tsx';

const titles = {
  success: 'Test event delivered',
  successWithErrors: 'Test event partially delivered',
  failed: 'Test event failed',
} as const;
const colors = { success: 'green', successWithErrors: 'yellow', failed: 'red' } as const;

/** Sends a test event and shows the response. */
export function TestSend({ id }: { readonly id: number }) {
  const refusal = useRefusal('UPDATE_ADDON');
  const send = useMutation({
    mutationFn: () => api('POST /api/admin/addons/:id/test', { params: { id: String(id) } }),
  });
  return (
    <>
      <GuardedButton
        variant="default"
        refusal={refusal}
        loading={send.isPending}
        leftSection={<IconSend size={16} aria-hidden />}
        onClick={() => send.mutate()}
      >
        Send test event
      </GuardedButton>
      <Modal
        opened={send.data !== undefined || send.isError}
        onClose={send.reset}
        size="xl"
        title="Test event"
        transitionProps={{ duration: 100 }}
      >
        {send.isError && (
          <Alert color="red" role="alert">
            {send.error.message}
          </Alert>
        )}
        {send.data && (
          <Stack>
            <Alert color={colors[send.data.state]} title={titles[send.data.state]} role="status">
              <Text size="sm">{send.data.stateDetails}</Text>
            </Alert>
            {send.data.details.attempts.map((attempt) => (
              <AttemptView
                key={attempt.at}
                attempt={attempt}
                message={messageOf(send.data.details)}
                title="Request and response"
              />
            ))}
          </Stack>
        )}
      </Modal>
    </>
  );
}
