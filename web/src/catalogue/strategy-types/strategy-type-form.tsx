import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { contract } from '../../../../src/modules/catalogue/strategy-types/contract.ts';
import { api } from '../../api.ts';
import type { StrategyType } from '../../flags/strategy/strategy-check.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notFound } from '../../ui/format.ts';
import { MissingDialog } from '../../ui/missing-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { immutableHint } from '../uses/words.ts';
import { type Parameter, parameterKinds } from './parameter-words.ts';

const maxParameters = 100;

export const CreateStrategyType = () => <StrategyTypeForm type={undefined} />;

export function EditStrategyType() {
  const { name } = useParams({ from: '/shell/configure/strategies/$name/edit' });
  const { strategies } = useSuspenseQuery(read('GET /api/admin/strategies', {})).data;
  const type = strategies.find((each) => each.name === name);
  if (!type) return <MissingDialog message={notFound('Strategy type', name)} />;
  return <StrategyTypeForm key={name} type={type} />;
}

function StrategyTypeForm({ type }: { readonly type: StrategyType | undefined }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/strategies', search: true });
  const mayNot = useRefusal(type ? 'UPDATE_STRATEGY' : 'CREATE_STRATEGY');
  const saving = useSaveForm({
    initialValues: {
      name: type?.name ?? '',
      title: type?.title ?? '',
      description: type?.description ?? '',
      parameters: type?.parameters ?? ([] as Parameter[]),
    },
    schema: (type ? contract.updateStrategyType : contract.createStrategyType).body,
    bodyOf: ({ name, title, description, parameters }) => ({
      name: name.trim(),
      title: title.trim() || null,
      description: description.trim() || null,
      parameters: parameters.map((parameter) => ({ ...parameter, name: parameter.name.trim() })),
    }),
    send: async ({ name, ...body }) => {
      await (type
        ? api('PUT /api/admin/strategies/:strategyName', { params: { strategyName: name }, body })
        : api('POST /api/admin/strategies', { body: { name, ...body } }));
      return name;
    },
    refreshes: ['GET /api/admin/strategies'],
    onSaved: (name) => {
      close();
      tellDone({
        id: `strategy type ${name}`,
        title: `Strategy type ${name} ${type ? 'saved' : 'created'}`,
      });
    },
  });
  const { form } = saving;
  const { parameters } = form.values;
  return (
    <FormDialog
      title={type ? `Edit ${type.displayName}` : 'New strategy type'}
      action={type ? 'Save' : 'Create strategy type'}
      size="lg"
      refusal={
        mayNot ?? (type?.editable === false ? "Built-in strategy types can't be edited" : undefined)
      }
      sending={saving}
      onClose={close}
    >
      {!type && (
        <TextInput
          label="Name"
          description={immutableHint('The name SDKs use')}
          placeholder="byTenant"
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <TextInput
        label="Display name"
        description="Shown in Burgee instead of the name"
        maxLength={100}
        {...form.getInputProps('title')}
      />
      <TextInput label="Description" maxLength={1000} {...form.getInputProps('description')} />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          Parameters
        </Text>
        <Text size="xs" className="quiet">
          Values to set in each strategy of this type. Existing strategies aren't affected.
        </Text>
        {parameters.map((_, place) => (
          <Stack
            // biome-ignore lint/suspicious/noArrayIndexKey: a parameter that is being typed has nothing but its place
            key={place}
            gap="xs"
            component="fieldset"
            className="card"
            m={0}
            p="sm"
            aria-label={`Parameter ${place + 1}`}
          >
            <Group gap="xs" wrap="nowrap" align="end">
              <TextInput
                label="Name"
                size="xs"
                maxLength={100}
                style={{ flex: '2 1 120px' }}
                {...form.getInputProps(`parameters.${place}.name`)}
              />
              <NativeSelect
                label="Type"
                size="xs"
                style={{ flex: '1 1 100px' }}
                data={[...parameterKinds]}
                {...form.getInputProps(`parameters.${place}.type`)}
              />
              <Tooltip label="Remove">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove parameter ${place + 1}`}
                  onClick={() => form.removeListItem('parameters', place)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Group>
            <TextInput
              label="Description"
              size="xs"
              maxLength={1000}
              {...form.getInputProps(`parameters.${place}.description`)}
            />
            <Checkbox
              size="xs"
              label="Required"
              {...form.getInputProps(`parameters.${place}.required`, { type: 'checkbox' })}
            />
          </Stack>
        ))}
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={parameters.length >= maxParameters}
          onClick={() =>
            form.insertListItem('parameters', {
              name: '',
              type: 'string',
              description: '',
              required: false,
            })
          }
        >
          Add parameter
        </Button>
      </Stack>
    </FormDialog>
  );
}
