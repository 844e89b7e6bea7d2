package io.github.zklock.console;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The console in an application of Spring MVC. */
final class MvcRoutes {

    private final String path;
    private final Console console;
    private final MvcSecurity security;

    MvcRoutes(String path, Console console, MvcSecurity security) {
        this.path = path;
        this.console = console;
        this.security = security;
    }

    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route(RequestPredicates.path(path + "/**"), this::handle);
    }

    private ServerResponse handle(ServerRequest request) throws IOException {
        ConsoleAnswer answer = console.answer(read(request));
        ServerResponse.BodyBuilder response = ServerResponse.status(answer.status());
        answer.headers().forEach(response::header);
        // not by the application's message converters, of which none needs to know what is written already
        return response.build((servletRequest, servletResponse) -> {
            servletResponse.setContentLength(answer.body().length);
            servletResponse.getOutputStream().write(answer.body());
            return null;
        });
    }

    private ConsoleRequest read(ServerRequest request) throws IOException {
        HttpServletRequest servlet = request.servletRequest();
        HttpServletRequest arrived = asItArrived(servlet);
        String method = request.method().name();
        return new ConsoleRequest(
                method,
                request.requestPath().pathWithinApplication().value().substring(path.length()),
                request.params(),
                headersOf(arrived),
                RemoteAddress.of(arrived.getRemoteAddr()),
                security.guards(servlet),
                request.principal().orElse(null),
                () -> security.csrf(servlet),
                ConsoleRequest.hasBody(method) ? body(servlet) : Optional.empty());
    }

    /** Without what filters have made of it: one of them may take addresses from headers that anybody can send. */
    private static HttpServletRequest asItArrived(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest arrived ? arrived : request;
    }

    private static HttpHeaders headersOf(HttpServletRequest request) {
        HttpHeaders headers = new HttpHeaders();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.addAll(name, Collections.list(request.getHeaders(name)));
        }
        if (request.getProtocol().equals("HTTP/2.0") && !headers.containsHeader("Host")) {
            headers.add("Host", authorityOf(request));
        }
        return headers;
    }

    /** What HTTP/2 has instead of a {@code Host}, which Tomcat does not make a header of; without a usual port. */
    private static String authorityOf(HttpServletRequest request) {
        int port = request.getServerPort();
        return port == (request.isSecure() ? 443 : 80) ? request.getServerName() : request.getServerName() + ":" + port;
    }

    private static Optional<String> body(HttpServletRequest request) throws IOException {
        byte[] bytes = request.getInputStream().readNBytes(ConsoleRequest.LONGEST_BODY + 1);
        return bytes.length > ConsoleRequest.LONGEST_BODY
                ? Optional.empty()
                : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
}
