/**
 * The reference of REST: Swagger UI over /openapi.json. Whoever signed in at the console tries paths out by that; a key can be given
 * instead, which is kept nowhere.
 */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";

SwaggerUI({
  url: "/openapi.json",
  dom_id: "#reference",
  presets: [SwaggerUI.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  // A cookie alone is taken from pages of this service, which say so.
  requestInterceptor: (request) => {
    request.headers["X-Zonesmith-Console"] = "1";
    return request;
  },
});
