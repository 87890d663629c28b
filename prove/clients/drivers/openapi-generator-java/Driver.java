// Calls the API with the client of openapi-generator for Java, and prints the result of each step as a line of JSON.
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ServersApi;
import org.openapitools.client.api.TicketsApi;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Server;
import org.openapitools.client.model.ServerList;
import org.openapitools.client.model.TicketInput;

public class Driver {
    private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();

    public static void main(String[] args) throws Exception {
        String serverId = System.getenv("SERVER_ID");
        ServersApi servers = new ServersApi(clientFor(System.getenv("API_KEY")));
        List<String> ids = new ArrayList<>();
        String cursor = null;
        do {
            ServerList page = servers.listServers(2, cursor, null, null);
            for (Server server : page.getData()) ids.add(server.getId());
            cursor = page.getNextCursor();
        } while (cursor != null);
        print(Map.of("step", "list", "ids", ids));

        String key = System.getenv("IDEMPOTENCY_KEY");
        TicketInput input = new TicketInput().subject(key).body("Sent twice.");
        TicketsApi tickets = new TicketsApi(clientFor(System.getenv("API_KEY")));
        List<String> created = new ArrayList<>();
        for (int call = 0; call < 2; call++) created.add(tickets.createTicket(serverId, input, key, null).getId());
        print(Map.of("step", "create", "ids", created));

        try {
            new TicketsApi(clientFor(System.getenv("NARROW_KEY"))).createTicket(serverId, input, null, null);
        } catch (ApiException error) {
            Problem problem = JSON.readValue(error.getResponseBody(), Problem.class);
            print(Map.of("step", "refusal", "status", error.getCode(), "code", problem.getCode()));
        }
    }

    private static ApiClient clientFor(String key) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("API_URL"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        return client;
    }

    private static void print(Map<String, Object> result) throws Exception {
        System.out.println(JSON.writeValueAsString(result));
    }
}
