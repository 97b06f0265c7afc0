// Writes responses down so that two clusters can be compared: as JSON of the version that was spoken, with what must differ
// (ids that are handed out, addresses, clocks, wording) replaced by "*" and what means nothing left out.
package highwater;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiMessage;

final class Plain {
    private static final Set<String> LEFT_OUT = Set.of("throttleTimeMs", "nodeEndpoints", "currentLeader", "clusterId",
        "sessionId", "clusterAuthorizedOperations", "topicAuthorizedOperations", "authorizedOperations", "clientHost");
    /** Shown only as "none" (-1, null, empty) or "some". */
    private static final Set<String> HANDED_OUT = Set.of("producerId", "topicId", "host", "port", "nodeId",
        "controllerId",
        "leaderId", "errorMessage", "batchIndexErrorMessage", "logAppendTimeMs", "lastTimestamp",
            "transactionStartTimeMs",
        "records", "metadata", "memberMetadata", "memberAssignment", "assignment", "coordinatorEpoch");
    private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

    /** The response as it is compared. */
    static String text(ApiMessage message, int version) throws Exception {
        return plain(json(message, version)).toString().replace("\"", "");
    }

    static JsonNode json(ApiMessage message, int version) throws Exception {
        Class<?> converter = Class.forName(message.getClass().getName() + "JsonConverter");
        return (JsonNode) converter.getMethod("write", message.getClass(), short.class, boolean.class)
            .invoke(null, message, (short) version, false);
    }

    private static JsonNode plain(JsonNode node) {
        if (node.isTextual()) return TextNode.valueOf(node.asText().replaceAll(UUID, "*"));
        if (node.isArray()) return sorted(node);
        if (!node.isObject()) return node;
        ObjectNode made = ((ObjectNode) node).objectNode();
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String name = field.getKey();
            if (LEFT_OUT.contains(name)) continue;
            if (HANDED_OUT.contains(name)) made.put(name, isNone(field.getValue()) ? "none" : "some");
            else made.set(name, plain(field.getValue()));
        }
        return made;
    }

    /** Order of arrays carries no meaning in any response that is compared. */
    private static JsonNode sorted(JsonNode array) {
        List<JsonNode> items = new ArrayList<>();
        for (JsonNode item : array) items.add(plain(item));
        items.sort(Comparator.comparing(JsonNode::toString));
        ArrayNode made = ((ArrayNode) array).arrayNode();
        items.forEach(made::add);
        return made;
    }

    private static boolean isNone(JsonNode value) {
        if (value.isNull()) return true;
        if (value.isNumber()) return value.asLong() == -1;
        String text = value.asText();
        return value.isTextual() && (text.isEmpty() || text.equals("AAAAAAAAAAAAAAAAAAAAAA"));
    }
}
