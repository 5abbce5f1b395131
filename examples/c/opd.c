/* Algorithms 1 and 2 of "Offline Primal-Dual RL for Linear MDPs" in C99.
 *
 * An independent port of docs/algorithms.md, the boxes with their errata, that the conformance kit checks:
 *
 *     cc -O2 -o opd-c opd.c -lm
 *     opd vectors gen --text | ./opd-c | opd vectors check
 *
 * Reads problems as lines of words and numbers, writes one JSON line of results per problem.
 * Sums run in the plain order, so results differ from the library's in the last bits, within the derived tolerances. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int x0, x, a, x_next;
    double r, u;
} Sample;

typedef struct {
    char id[128];
    int average, states, actions, dim, inner, outer, has_weight;
    double alpha, eta, zeta, xi, discount, rho_start, radius_theta, radius_beta;
    double *features, *weight, *theta, *beta;
    Sample *samples;
} Problem;

static void fail(const char *what) {
    fprintf(stderr, "opd-c: %s\n", what);
    exit(2);
}

static double *vector(int n) {
    double *v = calloc((size_t)n, sizeof *v);
    if (!v) fail("out of memory");
    return v;
}

static double number(void) {
    double x;
    if (scanf("%lf", &x) != 1) fail("expected a number");
    return x;
}

static int integer(void) {
    int n;
    if (scanf("%d", &n) != 1) fail("expected an integer");
    return n;
}

static void numbers(int n, double *out) {
    for (int i = 0; i < n; i++) out[i] = number();
}

static void read_shape(Problem *p) {
    p->states = integer();
    p->actions = integer();
    p->dim = integer();
    p->inner = integer();
    p->outer = integer();
    p->features = vector(p->states * p->actions * p->dim);
    p->weight = vector(p->dim * p->dim);
    p->theta = vector(p->dim);
    p->beta = vector(p->dim);
    p->samples = calloc((size_t)p->outer * (p->inner + 1), sizeof(Sample));
    if (!p->samples) fail("out of memory");
}

/* One problem; 0 at the end of the input. */
static int read_problem(Problem *p) {
    char word[64], setting[16];
    int row = 0;
    memset(p, 0, sizeof *p);
    while (scanf("%63s", word) == 1) {
        if (!strcmp(word, "end")) return 1;
        if (!strcmp(word, "case")) {
            if (scanf("%127s", p->id) != 1) fail("expected an id");
        } else if (!strcmp(word, "setting")) {
            if (scanf("%15s", setting) != 1) fail("expected a setting");
            p->average = !strcmp(setting, "average");
        } else if (!strcmp(word, "shape")) read_shape(p);
        else if (!strcmp(word, "alpha")) p->alpha = number();
        else if (!strcmp(word, "eta")) p->eta = number();
        else if (!strcmp(word, "zeta")) p->zeta = number();
        else if (!strcmp(word, "xi")) p->xi = number();
        else if (!strcmp(word, "discount")) p->discount = number();
        else if (!strcmp(word, "rho_start")) p->rho_start = number();
        else if (!strcmp(word, "radius_theta")) p->radius_theta = number();
        else if (!strcmp(word, "radius_beta")) p->radius_beta = number();
        else if (!strcmp(word, "features")) numbers(p->states * p->actions * p->dim, p->features);
        else if (!strcmp(word, "weight")) {
            p->has_weight = 1;
            numbers(p->dim * p->dim, p->weight);
        } else if (!strcmp(word, "theta_start")) numbers(p->dim, p->theta);
        else if (!strcmp(word, "beta_start")) numbers(p->dim, p->beta);
        else if (!strcmp(word, "sample")) {
            Sample *s = &p->samples[row++];
            s->x0 = integer();
            s->x = integer();
            s->a = integer();
            s->r = number();
            s->x_next = integer();
            s->u = number();
        } else fail("unknown word");
    }
    return 0;
}

static void free_problem(Problem *p) {
    free(p->features);
    free(p->weight);
    free(p->theta);
    free(p->beta);
    free(p->samples);
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static const double *feature(const Problem *p, int x, int a) {
    return p->features + (x * p->actions + a) * p->dim;
}

/* out = W v, W being the power c - 1 of the covariance; the identity at c = 1. */
static void weigh(const Problem *p, const double *v, double *out) {
    for (int i = 0; i < p->dim; i++) out[i] = p->has_weight ? dot(p->dim, p->weight + i * p->dim, v) : v[i];
}

static void policy(const Problem *p, int x, const double *theta_sum, double *out) {
    double greatest = -INFINITY, total = 0;
    for (int a = 0; a < p->actions; a++) {
        out[a] = p->alpha * dot(p->dim, feature(p, x, a), theta_sum);
        greatest = fmax(greatest, out[a]);
    }
    for (int a = 0; a < p->actions; a++) total += out[a] = exp(out[a] - greatest);
    for (int a = 0; a < p->actions; a++) out[a] /= total;
}

/* The first action whose cumulative probability exceeds u. */
static int draw(const Problem *p, const double *probabilities, double u) {
    double cumulative = 0;
    for (int a = 0; a < p->actions; a++)
        if ((cumulative += probabilities[a]) > u) return a;
    return p->actions - 1;
}

static void project(int n, double *y, double radius) {
    double norm = sqrt(dot(n, y, y));
    if (norm > radius)
        for (int i = 0; i < n; i++) y[i] *= radius / norm;
}

static void print(const char *key, int n, const double *v) {
    printf(",\"%s\":[", key);
    for (int i = 0; i < n; i++) printf("%s%.17g", i ? "," : "", v[i]);
    printf("]");
}

/* The gradient of theta from one sample. */
static void theta_gradient(const Problem *p, const Sample *s, double w, const double *theta_sum, double *pi, double *g) {
    const double *here = feature(p, s->x, s->a);
    policy(p, s->x_next, theta_sum, pi);
    if (p->average) {
        const double *next = feature(p, s->x_next, draw(p, pi, s->u));
        for (int i = 0; i < p->dim; i++) g[i] = w * next[i] - w * here[i];
        return;
    }
    for (int i = 0; i < p->dim; i++) {
        g[i] = -w * here[i];
        for (int a = 0; a < p->actions; a++) g[i] += p->discount * w * pi[a] * feature(p, s->x_next, a)[i];
    }
    policy(p, s->x0, theta_sum, pi);
    for (int i = 0; i < p->dim; i++)
        for (int a = 0; a < p->actions; a++) g[i] += (1 - p->discount) * pi[a] * feature(p, s->x0, a)[i];
}

static void run(Problem *p) {
    int d = p->dim, block = p->average ? p->inner + 1 : p->inner, comma = 0;
    double *theta = p->theta, *beta = p->beta, *sum = vector(d), *average = vector(d), *weighted = vector(d);
    double *g = vector(d), *pi = vector(p->actions), rho = p->rho_start;
    printf("{\"id\":\"%s\",\"steps\":[", p->id);
    for (int t = 1; t <= p->outer; t++) {
        const Sample *s = p->samples + (t - 1) * block;
        double rho_average = 0;
        memset(average, 0, (size_t)d * sizeof *average);
        weigh(p, beta, weighted);
        for (int k = 1; k < block; k++, s++) {
            double w = dot(d, feature(p, s->x, s->a), weighted);
            for (int i = 0; i < d; i++) average[i] += theta[i] / p->inner;
            rho_average += rho / p->inner;
            theta_gradient(p, s, w, sum, pi, g);
            for (int i = 0; i < d; i++) theta[i] -= p->eta * g[i];
            project(d, theta, p->radius_theta);
            rho = fmin(fmax(rho - p->xi * (1 - w), 0), 1);
            printf("%s{\"t\":%d,\"k\":%d,\"w\":%.17g", comma++ ? "," : "", t, k, w);
            print("gradient", d, g);
            print("theta_next", d, theta);
            if (p->average) print("rho_next", 1, &rho);
            printf("}");
        }
        /* Algorithm 1 averages its last iterate in, Algorithm 2 does not. */
        for (int i = 0; i < d; i++) theta[i] = p->average ? average[i] : average[i] + theta[i] / p->inner;
        if (p->average) rho = rho_average;
        policy(p, s->x_next, sum, pi);
        double value = 0, td_error;
        for (int a = 0; a < p->actions; a++) value += pi[a] * dot(d, feature(p, s->x_next, a), theta);
        td_error = s->r + (p->average ? value - rho : p->discount * value) - dot(d, feature(p, s->x, s->a), theta);
        weigh(p, feature(p, s->x, s->a), g);
        for (int i = 0; i < d; i++) beta[i] += p->zeta * td_error * g[i];
        project(d, beta, p->radius_beta);
        for (int i = 0; i < d; i++) sum[i] += theta[i];
        printf("%s{\"t\":%d,\"td_error\":%.17g", comma++ ? "," : "", t, td_error);
        print("theta", d, theta);
        print("beta_next", d, beta);
        if (p->average) print("rho", 1, &rho);
        printf("}");
    }
    printf("]}\n");
    free(sum);
    free(average);
    free(weighted);
    free(g);
    free(pi);
}

int main(void) {
    Problem p;
    while (read_problem(&p)) {
        run(&p);
        free_problem(&p);
    }
    return 0;
}
