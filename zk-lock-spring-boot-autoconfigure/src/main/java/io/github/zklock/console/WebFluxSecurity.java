package io.github.zklock.console;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What Spring Security has to do with a request of Spring WebFlux. */
interface WebFluxSecurity {

    /** Where there is no Spring Security. */
    WebFluxSecurity NONE = new WebFluxSecurity() {
        @Override
        public Mono<Boolean> guards(ServerWebExchange exchange) {
            return Mono.just(false);
        }

        @Override
        public Mono<Csrf> csrf(ServerWebExchange exchange) {
            return Mono.empty();
        }
    };

    /** Whether filters of Spring Security's stand before this request. */
    Mono<Boolean> guards(ServerWebExchange exchange);

    /** The token of a request that changes something, made if need be. */
    Mono<Csrf> csrf(ServerWebExchange exchange);

    /** The filter chains of an application. */
    final class Chains implements WebFluxSecurity {

        private final Supplier<List<SecurityWebFilterChain>> chains;

        Chains(Supplier<List<SecurityWebFilterChain>> chains) {
            this.chains = chains;
        }

        /** The first chain that matches is the one that is applied; one without filters is a path that is left out. */
        @Override
        public Mono<Boolean> guards(ServerWebExchange exchange) {
            return Flux.fromIterable(chains.get())
                    .filterWhen(chain -> chain.matches(exchange))
                    .next()
                    .flatMap(chain -> chain.getWebFilters().hasElements())
                    .defaultIfEmpty(false);
        }

        @Override
        public Mono<Csrf> csrf(ServerWebExchange exchange) {
            Mono<?> token = exchange.getAttributeOrDefault(CsrfToken.class.getName(), Mono.empty());
            return token.ofType(CsrfToken.class).map(found -> new Csrf(found.getHeaderName(), found.getToken()));
        }
    }
}
