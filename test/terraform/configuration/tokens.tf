resource "unleash_api_token" "backend" {
  token_name  = "tf backend"
  type        = "client"
  environment = "development"
  projects    = [unleash_project.bare.id, unleash_project.shop.id]
  expires_at  = local.second ? "2041-01-01T00:00:00Z" : "2040-01-01T00:00:00Z"
}

resource "unleash_api_token" "browser" {
  token_name  = "tf browser"
  type        = "frontend"
  environment = "production"
  projects    = ["*"]
}

resource "unleash_api_token" "of_one_project" {
  token_name  = "tf one"
  type        = "client"
  environment = "production"
  project     = unleash_project.shop.id
}
