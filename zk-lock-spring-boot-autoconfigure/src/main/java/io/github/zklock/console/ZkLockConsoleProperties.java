package io.github.zklock.console;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code zk.lock.console.*} says.
 *
 * @param enabled Whether to serve the console, a page that shows locks and their queues.
 * @param path Path of the console within the application.
 * @param remoteAccess Whether requests from other machines are answered although nothing of Spring Security guards the
 *     page.
 */
@ConfigurationProperties("zk.lock.console")
record ZkLockConsoleProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/zk-lock") String path,
        @DefaultValue("false") boolean remoteAccess) {

    private static final Pattern SEGMENTS = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+");

    ZkLockConsoleProperties {
        if (!SEGMENTS.matcher(path).matches()) {
            throw new InvalidZkLockPropertyException(
                    "zk.lock.console.path",
                    "'" + path + "' is not a path of letters, digits and -._~ with a slash before each segment",
                    "use a path such as /zk-lock");
        }
    }
}
