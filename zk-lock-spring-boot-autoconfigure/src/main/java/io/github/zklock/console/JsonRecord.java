package io.github.zklock.console;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.json.WritableJson;

/**
 * A record that writes itself as JSON: each component by its name, in their order, also what is null. So the page gets
 * the same from each application, whichever JSON library that has and however it is set up.
 */
interface JsonRecord extends WritableJson {

    @Override
    default void to(Appendable out) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (RecordComponent each : getClass().getRecordComponents()) {
            members.put(each.getName(), valueOf(each));
        }
        JsonWriter.<Map<String, @Nullable Object>>standard().write(members, out);
    }

    private @Nullable Object valueOf(RecordComponent component) {
        try {
            Object value = component.getAccessor().invoke(this);
            return value instanceof Enum<?> constant ? constant.name() : value;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Component " + component + " cannot be read", e);
        }
    }
}
