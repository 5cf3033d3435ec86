data "unleash_role" "owner" {
  name = "Owner"
}

data "unleash_role" "member" {
  name = "Member"
}

data "unleash_role" "viewer" {
  name = "Viewer"
}

resource "unleash_role" "for_all" {
  name        = local.second ? "tf for everything" : "tf for all projects"
  description = "Changes projects wherever they are open"
  type        = "root-custom"
  permissions = concat(
    [{ name = "CREATE_PROJECT" }, { name = "UPDATE_PROJECT" }],
    local.second ? [{ name = "UPDATE_FEATURE_ENVIRONMENT", environment = "development" }] : [],
  )
}

resource "unleash_role" "in_project" {
  name        = "tf releases"
  description = "Switches features in production"
  type        = "custom"
  permissions = concat(
    [
      { name = "CREATE_FEATURE" },
      { name = "UPDATE_FEATURE_ENVIRONMENT", environment = "production" },
    ],
    local.second ? [{ name = "DELETE_FEATURE" }] : [],
  )
}

resource "unleash_user" "ada" {
  name       = local.second ? "Ada L." : "Ada"
  email      = "tf-ada@example.com"
  root_role  = data.unleash_role.viewer.id
  send_email = false
}

resource "unleash_user" "ben" {
  username   = "tf-ben"
  root_role  = unleash_role.for_all.id
  password   = "A-fine-long-phrase-17"
  send_email = false
}

resource "unleash_user" "cleo" {
  email      = "tf-cleo@example.com"
  root_role  = local.second ? 2 : 3
  send_email = false
}

resource "unleash_group" "team" {
  name         = local.second ? "tf team of two" : "tf team"
  description  = local.second ? null : "Who works on the shop"
  mappings_sso = ["shop-developers"]
  root_role    = data.unleash_role.viewer.id
  users        = local.second ? [tonumber(unleash_user.ada.id), tonumber(unleash_user.ben.id)] : [tonumber(unleash_user.ada.id)]
}

resource "unleash_group" "bare" {
  name = "tf bare group"
}

resource "unleash_project_access" "shop" {
  project = unleash_project.shop.id
  roles = concat(
    [
      {
        role   = data.unleash_role.owner.id
        users  = [tonumber(unleash_user.ada.id)]
        groups = []
      },
      {
        role   = data.unleash_role.member.id
        users  = []
        groups = [tonumber(unleash_group.team.id)]
      },
    ],
    local.second ? [{
      role   = data.unleash_role.member.id == 0 ? 0 : unleash_role.in_project.id
      users  = [tonumber(unleash_user.cleo.id)]
      groups = []
    }] : [],
  )
}

resource "unleash_project_access" "emptied" {
  project = unleash_project.emptied.id
  roles = [{
    role   = data.unleash_role.owner.id
    users  = []
    groups = [tonumber(unleash_group.team.id)]
  }]
}

# The provider cannot change one: it sends the old values, whatever the server is.
resource "unleash_service_account" "pipeline" {
  name      = "Pipeline"
  username  = "tf-pipeline"
  root_role = 3
}

resource "unleash_service_account_token" "pipeline" {
  service_account_id = unleash_service_account.pipeline.id
  description        = local.second ? "second" : "first"
  expires_at         = "2040-01-01T00:00:00Z"
}
