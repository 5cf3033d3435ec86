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
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { StrategyType } from '../../flags/strategy-check.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { faultAt } from '../../ui/faults.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { DescriptionField, TextField } from '../../ui/text-field.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

type Parameter = StrategyType['parameters'][number];

const kinds: readonly { readonly value: Parameter['type']; readonly label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'list', label: 'List' },
  { value: 'number', label: 'Number' },
  { value: 'percentage', label: 'Percentage' },
  { value: 'boolean', label: 'Yes or no' },
];

const maxParameters = 100;

export const CreateStrategyType = () => <StrategyTypeForm type={undefined} />;

export function EditStrategyType() {
  const { name } = useParams({ from: '/shell/configure/strategies/$name/edit' });
  const { strategies } = useSuspenseQuery(read('GET /api/admin/strategies', {})).data;
  const type = strategies.find((each) => each.name === name);
  if (!type) return <Problem error={new Error(`There is no strategy type ${name}`)} />;
  return <StrategyTypeForm key={name} type={type} />;
}

function StrategyTypeForm({ type }: { readonly type: StrategyType | undefined }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/strategies', search: true });
  const mayNot = useRefusal(type ? 'UPDATE_STRATEGY' : 'CREATE_STRATEGY');
  const [name, setName] = useState(type?.name ?? '');
  const [title, setTitle] = useState(type?.title ?? '');
  const [description, setDescription] = useState(type?.description ?? '');
  const [parameters, setParameters] = useState<readonly Parameter[]>(type?.parameters ?? []);
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        title: title.trim() || null,
        description: description.trim() || null,
        parameters: parameters.map((parameter) => ({ ...parameter, name: parameter.name.trim() })),
      };
      await (type
        ? api('PUT /api/admin/strategies/:strategyName', {
            params: { strategyName: type.name },
            body,
          })
        : api('POST /api/admin/strategies', { body: { name: name.trim(), ...body } }));
    },
    onSuccess: async () => {
      await invalidate('GET /api/admin/strategies');
      close();
      tellDone({ id: `strategy type ${name}`, title: `The strategy type ${name.trim()} is saved` });
    },
  });
  const change = (place: number, next: Partial<Parameter>) =>
    setParameters(
      parameters.map((parameter, index) =>
        index === place ? { ...parameter, ...next } : parameter,
      ),
    );
  return (
    <FormDialog
      title={type ? `Change ${type.displayName}` : 'New strategy type'}
      action={type ? 'Save' : 'Create strategy type'}
      size="lg"
      refusal={mayNot ?? (type?.editable === false ? 'It is built in.' : undefined)}
      isReady={name.trim() !== '' && parameters.every((each) => each.name.trim() !== '')}
      sending={save}
      fields={['name', 'title', 'description']}
      onClose={close}
    >
      {!type && (
        <TextField
          name="name"
          label="Name"
          description="By which SDKs know it. It never changes."
          placeholder="byTenant"
          required
          maxLength={100}
          data-autofocus
          value={name}
          refused={save.error}
          onChange={setName}
        />
      )}
      <TextField
        name="title"
        label="Title"
        description="What people read."
        maxLength={100}
        value={title}
        refused={save.error}
        onChange={setTitle}
      />
      <DescriptionField value={description} refused={save.error} onChange={setDescription} />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          Parameters
        </Text>
        <Text size="xs" className="quiet">
          Strategies of this type get a value for each. Strategies that exist stay as they are.
        </Text>
        {parameters.map((parameter, place) => (
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
                value={parameter.name}
                error={faultAt(save.error, `parameters/${place}/name`)}
                onChange={({ currentTarget }) => change(place, { name: currentTarget.value })}
              />
              <NativeSelect
                label="Type"
                size="xs"
                style={{ flex: '1 1 100px' }}
                data={[...kinds]}
                value={parameter.type}
                onChange={({ currentTarget }) =>
                  change(place, { type: currentTarget.value as Parameter['type'] })
                }
              />
              <Tooltip label="Remove">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove parameter ${place + 1}`}
                  onClick={() => setParameters(parameters.toSpliced(place, 1))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Group>
            <TextInput
              label="Description"
              size="xs"
              maxLength={1000}
              value={parameter.description}
              onChange={({ currentTarget }) => change(place, { description: currentTarget.value })}
            />
            <Checkbox
              size="xs"
              label="Required"
              checked={parameter.required}
              onChange={({ currentTarget }) => change(place, { required: currentTarget.checked })}
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
            setParameters([
              ...parameters,
              { name: '', type: 'string', description: '', required: false },
            ])
          }
        >
          Add parameter
        </Button>
      </Stack>
    </FormDialog>
  );
}
