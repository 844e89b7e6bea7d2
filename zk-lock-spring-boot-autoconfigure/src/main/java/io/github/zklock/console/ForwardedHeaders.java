package io.github.zklock.console;

import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Whether the web server takes the addresses of clients from the headers of proxies. */
final class ForwardedHeaders {

    private static final String STRATEGY = "server.forward-headers-strategy";

    /** The bean of an application of WebFlux that does so, by its name there. */
    private static final String TRANSFORMER = "forwardedHeaderTransformer";

    private ForwardedHeaders() {}

    static boolean areUsed(Environment environment, ListableBeanFactory beans) {
        String strategy = environment.getProperty(STRATEGY);
        if (StringUtils.hasText(strategy) ? !strategy.equalsIgnoreCase("none") : isOnSuchAPlatform(environment)) {
            return true;
        }
        return beans.containsBean(TRANSFORMER)
                || Stream.of("remote-ip-header", "protocol-header")
                        .anyMatch(
                                name -> StringUtils.hasText(environment.getProperty("server.tomcat.remoteip." + name)));
    }

    private static boolean isOnSuchAPlatform(Environment environment) {
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }
}
