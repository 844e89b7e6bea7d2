package io.github.zklock.docs.guide.shop;

import io.github.zklock.LockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

// snippet:advice
@RestControllerAdvice
class LockErrors {

    @ExceptionHandler
    ResponseEntity<ProblemDetail> busy(LockTimeoutException busy) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE, "Another request changes this order. Try again."));
    }

    @ExceptionHandler({LockUnavailableException.class, LockLostException.class, LockRegistryClosedException.class})
    ProblemDetail unavailable(LockException failed) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE, "Load the order, then try again if it is not completed.");
    }
}
// end:advice
