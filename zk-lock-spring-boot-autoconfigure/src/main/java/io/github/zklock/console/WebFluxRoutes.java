package io.github.zklock.console;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The console in an application of Spring WebFlux. */
final class WebFluxRoutes {

    private final String path;
    private final Console console;
    private final WebFluxSecurity security;

    WebFluxRoutes(String path, Console console, WebFluxSecurity security) {
        this.path = path;
        this.console = console;
        this.security = security;
    }

    RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route(RequestPredicates.path(path + "/**"), this::handle);
    }

    private Mono<ServerResponse> handle(ServerRequest request) {
        return read(request)
                // the console blocks, which no thread of the server's may
                .publishOn(Schedulers.boundedElastic())
                .map(console::answer)
                .flatMap(answer -> {
                    ServerResponse.BodyBuilder response = ServerResponse.status(answer.status());
                    answer.headers().forEach(response::header);
                    return response.bodyValue(answer.body());
                });
    }

    private Mono<ConsoleRequest> read(ServerRequest request) {
        return Mono.zip(
                        security.guards(request.exchange()),
                        request.principal()
                                .<Principal>cast(Principal.class)
                                .map(Optional::of)
                                .defaultIfEmpty(Optional.empty()),
                        body(request))
                .map(known -> new ConsoleRequest(
                        request.method().name(),
                        request.requestPath().pathWithinApplication().value().substring(path.length()),
                        request.queryParams(),
                        request.headers().asHttpHeaders(),
                        request.remoteAddress()
                                .map(InetSocketAddress::getAddress)
                                .orElse(null),
                        known.getT1(),
                        known.getT2().orElse(null),
                        () -> security.csrf(request.exchange()).blockOptional(),
                        known.getT3()));
    }

    private static Mono<Optional<String>> body(ServerRequest request) {
        if (!ConsoleRequest.hasBody(request.method().name())) {
            return Mono.just(Optional.empty());
        }
        return DataBufferUtils.join(request.body(BodyExtractors.toDataBuffers()), ConsoleRequest.LONGEST_BODY)
                .map(WebFluxRoutes::text)
                .defaultIfEmpty(Optional.of(""))
                .onErrorResume(DataBufferLimitException.class, tooLong -> Mono.just(Optional.empty()));
    }

    private static Optional<String> text(DataBuffer body) {
        try {
            return Optional.of(body.toString(StandardCharsets.UTF_8));
        } finally {
            DataBufferUtils.release(body);
        }
    }
}
