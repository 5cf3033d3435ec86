import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, basePath } from '../api.ts';
import { useMe, useRefusal } from '../me.ts';
import { invalidate, read } from '../queries.ts';
import { FieldError, Form } from '../sign-in/form.tsx';
import { Section } from './section.tsx';

function Identity() {
  const { user } = useMe();
  const refusal = useRefusal('ADMIN');
  const [name, setName] = useState(user.name ?? '');
  const rename = useMutation({
    mutationFn: () =>
      api('PUT /api/admin/user-admin/:id', { params: { id: String(user.id) }, body: { name } }),
    onSuccess: async () => {
      await invalidate('GET /api/admin/user');
      notifications.show({ title: 'Your name is changed', message: name });
    },
  });
  return (
    <Section title="You">
      <Group gap="md" wrap="nowrap" align="flex-start">
        <img
          src={`${basePath}avatars/${user.id}.svg`}
          alt=""
          width={56}
          height={56}
          style={{ borderRadius: '50%' }}
        />
        <form
          style={{ flex: 1, minWidth: 0 }}
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate();
          }}
        >
          <Stack gap="sm">
            <Group align="flex-end" gap="sm">
              <TextInput
                label="Name"
                flex={1}
                miw={160}
                value={name}
                readOnly={refusal !== undefined}
                error={rename.error?.message}
                {...(refusal !== undefined && {
                  description: 'An administrator can change your name.',
                })}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              {refusal === undefined && (
                <Button
                  type="submit"
                  variant="default"
                  disabled={name === (user.name ?? '')}
                  loading={rename.isPending}
                >
                  Save
                </Button>
              )}
            </Group>
            {user.username && (
              <Text size="sm">
                <span className="quiet">User name</span> {user.username}
              </Text>
            )}
            {user.email && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <span className="quiet">E-mail</span> {user.email}
              </Text>
            )}
          </Stack>
        </form>
      </Group>
    </Section>
  );
}

function Password() {
  const [changes, setChanges] = useState(0);
  const ways = useQuery(read('GET /auth/providers', {})).data;
  if (ways?.password === false) {
    return (
      <Section title="Password">
        <Text size="sm">People sign in here by single sign-on, so there is no password.</Text>
      </Section>
    );
  }
  return (
    <Section title="Password" lead="A new password ends all your other sessions.">
      {changes > 0 && (
        <Alert color="teal" role="status">
          The password is changed. Your other sessions are ended.
        </Alert>
      )}
      <Form
        // A new form has empty fields.
        key={changes}
        withoutFocus
        fields={[
          {
            name: 'oldPassword',
            label: 'Current password',
            type: 'password',
            autoComplete: 'current-password',
          },
          {
            name: 'password',
            label: 'New password',
            type: 'password',
            autoComplete: 'new-password',
            hint: 'At least 10 characters. Several words are easier to remember than special characters.',
          },
          {
            name: 'confirmPassword',
            label: 'Repeat the new password',
            type: 'password',
            autoComplete: 'new-password',
          },
        ]}
        button="Change the password"
        onSubmit={async ({ oldPassword = '', password = '', confirmPassword = '' }) => {
          if (password !== confirmPassword) {
            throw new FieldError('confirmPassword', 'The two passwords are not the same');
          }
          await api('POST /api/admin/user/change-password', { body: { oldPassword, password } });
          setChanges(changes + 1);
          await invalidate('GET /api/admin/user/sessions');
        }}
      />
    </Section>
  );
}

export const OwnAccount = () => (
  <Stack maw={560}>
    <Identity />
    <Password />
  </Stack>
);
