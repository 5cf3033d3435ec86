import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/core/styles/ColorPicker.layer.css';
import '@mantine/core/styles/ColorInput.layer.css';
import { ColorInput, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { tagTypeContract as contract } from '../../../../src/modules/catalogue/tags/tag-types/contract.ts';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { notFound } from '../../ui/format.ts';
import { MissingDialog } from '../../ui/missing-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { immutableHint } from '../uses/words.ts';
import type { TagType } from './tag-types.tsx';

const swatches = ['#0F766E', '#2563EB', '#7C3AED', '#DB2777', '#DC2626', '#D97706', '#64748B'];

export const CreateTagType = () => <TagTypeForm type={undefined} />;

export function EditTagType() {
  const { name } = useParams({ from: '/shell/configure/tag-types/edit/$name' });
  const { tagTypes } = useSuspenseQuery(read('GET /api/admin/tag-types', {})).data;
  const type = tagTypes.find((each) => each.name === name);
  if (!type) return <MissingDialog message={notFound('Tag type', name)} />;
  return <TagTypeForm key={name} type={type} />;
}

function TagTypeForm({ type }: { readonly type: TagType | undefined }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/tag-types', search: true });
  const refusal = useRefusal(type ? 'UPDATE_TAG_TYPE' : 'CREATE_TAG_TYPE');
  const saving = useSaveForm({
    initialValues: {
      name: type?.name ?? '',
      description: type?.description ?? '',
      color: type?.color ?? '',
      icon: type?.icon ?? '',
    },
    schema: (type ? contract.updateTagType : contract.createTagType).body,
    bodyOf: ({ name, description, color, icon }) => ({
      name: name.trim(),
      description,
      color: color || null,
      icon: icon.trim() || null,
    }),
    send: async ({ name, ...body }) => {
      await (type
        ? api('PUT /api/admin/tag-types/:name', { params: { name }, body })
        : api('POST /api/admin/tag-types', { body: { name, ...body } }));
      return name;
    },
    refreshes: ['GET /api/admin/tag-types'],
    onSaved: (name) => {
      close();
      tellDone({ id: `tag type ${name}`, title: `Tag type ${name} ${type ? 'saved' : 'created'}` });
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title={type ? `Edit ${type.name}` : 'New tag type'}
      action={type ? 'Save' : 'Create tag type'}
      refusal={refusal}
      sending={saving}
      onClose={close}
    >
      {!type && (
        <TextInput
          label="Name"
          description={immutableHint('The prefix of each tag, as in team:checkout')}
          placeholder="team"
          required
          maxLength={50}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <TextInput label="Description" maxLength={1000} {...form.getInputProps('description')} />
      <ColorInput
        withEyeDropper={false}
        label="Color"
        placeholder="None"
        swatches={swatches}
        {...form.getInputProps('color')}
      />
      <TextInput
        label="Icon"
        description="Icon name for API clients. Burgee shows it as text."
        maxLength={100}
        {...form.getInputProps('icon')}
      />
    </FormDialog>
  );
}
