//! What each statement says: its formulas, and a sentence or two in our words. Where print has another formula, this is the one that holds; the
//! erratum has both.
//!
//! Formulas are written as `program::html::mathml` reads them: `_` and `^`, groups in braces, `{…}/{…}` a fraction, `\\{` a brace; among words, between $ and $.

/// What a statement says.
#[derive(Debug)]
pub struct Gloss {
    /// The statement's [`id`](super::Statement::id).
    pub id: &'static str,
    /// A line each.
    pub formulas: &'static [&'static str],
    /// In our words.
    pub words: &'static str,
}

const fn of(id: &'static str, formulas: &'static [&'static str], words: &'static str) -> Gloss {
    Gloss { id, formulas, words }
}

/// In the order of the register.
pub const GLOSSES: &[Gloss] = &[
    of(
        "Tab 1",
        &["n_ε = O(ε^{−4}) samples, O(n) operations"],
        "What the table says of this method; opd table1 measures it beside the other rows.",
    ),
    of(
        "S2.return",
        &["ρ(π) = (1−γ) 𝔼_π[Σ_{t=0}^∞ γ^t r(X_t,A_t)] = (1−γ)⟨ν₀, v^π⟩ = ⟨r, μ^π⟩"],
        "What a policy earns, scaled to [0, 1]: from the values of where it starts, or from how often it is in each pair.",
    ),
    of(
        "S2.q",
        &["q^π(x,a) = 𝔼_π[Σ_{t=0}^∞ γ^t r(X_t,A_t) | X_0=x, A_0=a]"],
        "What is earned from x if a is taken first and the policy is followed after.",
    ),
    of("S2.v", &["v^π(x) = Σ_a π(a|x) q^π(x,a)"], "What is earned from x by following the policy."),
    of(
        "S2.nu",
        &["ν^π(x) = (1−γ) 𝔼_π[Σ_{t=0}^∞ γ^t 𝟙\\{X_t=x\\}]"],
        "How often the policy is in x, later visits counting less; the numbers sum to 1.",
    ),
    of("S2.mu", &["μ^π(x,a) = π(a|x) ν^π(x)"], "How often the policy is in x and takes a."),
    of(
        "(1)",
        &["q^π = r + γPv^π", "ν^π = (1−γ)ν₀ + γPᵀμ^π"],
        "A value is a reward and what follows it; a visit is a start or an arrival.",
    ),
    of(
        "(2)",
        &["maximise ⟨r, μ⟩ over μ ≥ 0 with Eᵀμ = (1−γ)ν₀ + γPᵀμ", "π*(a|x) = {μ*(x,a)}/{Σ_{a′} μ*(x,a′)}"],
        "The best policy as a linear program: its feasible points are the occupancy measures of policies, and a policy is read off the best one.",
    ),
    of(
        "Def 2.1",
        &["r(x,a) = ⟨φ(x,a), ω⟩, p(x′|x,a) = ⟨φ(x,a), ψ(x′)⟩", "‖φ(x,a)‖ ≤ D_φ, ‖Σ_x |ψ(x)|‖ ≤ D_ψ, ‖ω‖ ≤ D_ω"],
        "Rewards and transitions are linear in d known features. Print bounds $‖Σ_xψ(x)‖$, where signs may cancel.",
    ),
    of(
        "(3)",
        &["q^π = r + γPv^π = Φ(ω + γΨv^π) = Φθ^π", "‖θ^π‖ ≤ D_θ = D_ω + {D_ψ}/{1−γ}"],
        "Every policy's action values are linear in the features, by a vector of bounded length.",
    ),
    of(
        "(4)",
        &["maximise ⟨ω, λ⟩ over λ and μ ≥ 0 with Eᵀμ = (1−γ)ν₀ + γΨᵀλ and λ = Φᵀμ"],
        "The program (2) with $λ$ for the mean features: the same optimum, an objective in d numbers.",
    ),
    of(
        "(5)",
        &["minimise (1−γ)⟨ν₀, v⟩ over v and θ with θ = ω + γΨv and Ev ≥ Φθ"],
        "Its dual: the least v that is nowhere below what an action is worth.",
    ),
    of(
        "(6)",
        &[
            "L(v,θ,λ,μ) = (1−γ)⟨ν₀, v⟩ + ⟨λ, ω + γΨv − θ⟩ + ⟨μ, Φθ − Ev⟩",
            "L(v,θ,λ,μ) = ⟨λ, ω⟩ + ⟨v, (1−γ)ν₀ + γΨᵀλ − Eᵀμ⟩ + ⟨θ, Φᵀμ − λ⟩",
        ],
        "Both programs in one function: its terms grouped by the constraints of (5), and by those of (4).",
    ),
    of(
        "S2.saddle",
        &["L(v*,θ*,λ,μ) ≤ L(v*,θ*,λ*,μ*) ≤ L(v,θ,λ*,μ*) for all v, θ, λ and μ ≥ 0"],
        "Optimal solutions of both programs are a point where neither player of L gains by moving, and such a point is optimal in both.",
    ),
    of(
        "S3.cov",
        &["Λ = 𝔼_{X,A∼μ_B}[φ(X,A) φ(X,A)ᵀ], Λ^c, Λ^{c−1}, c ∈ \\{1/2, 1\\}"],
        "Which directions of feature space the data have seen, and how often.",
    ),
    of(
        "S3.grad-lambda",
        &["∇_λL = ω + γΨv − θ = Λ^{−1} 𝔼[φ_t (R_t + γv(X′_t) − ⟨θ, φ_t⟩)]"],
        "But for $Λ^{−1}$ the gradient is a mean over the data, which one row estimates without bias; in the variable $β=Λ^{−1}λ$ it is that mean itself.",
    ),
    of(
        "(7)",
        &["v_t(x) = Σ_a π_t(a|x) ⟨φ(x,a), θ_t⟩"],
        "The value of a state under the current policy, as $θ_t$ has it.",
    ),
    of(
        "(8)",
        &["μ_{t,k}(x,a) = π_t(a|x) ((1−γ) 𝟙\\{X⁰_{t,k}=x\\} + γ ⟨φ_{t,k}, Λ^{c−1}β_t⟩ 𝟙\\{X′_{t,k}=x\\})"],
        "One row's guess of where the current policy goes: at the row's start state and at its next state, and nowhere else.",
    ),
    of(
        "(9)",
        &["g̃_{β,t} = Λ^{c−1}φ_t (R_t + γv_t(X′_t) − ⟨φ_t, θ_t⟩)"],
        "The temporal difference of one row, along its features: the estimate that moves $β$.",
    ),
    of(
        "(10)",
        &["g̃_{θ,t,k} = Φᵀμ_{t,k} − φ_{t,k} ⟨φ_{t,k}, Λ^{c−1}β_t⟩"],
        "The features where the policy would go, less those of the row with the weight that $β$ gives it: the estimate that moves $θ$. Print has $Λ^{c−1}$ at the other $φ$.",
    ),
    of(
        "S3.cost",
        &["O(|A| d n) at c = 1, O(|A| d n + d²T) at c = 1/2"],
        "A fixed number of passes over |A| vectors of d numbers for each of n rows; at c = 1/2, which print leaves out, two products with $Λ^{c−1}$ per outer iteration on top, for $β_t$ and $φ_t$.",
    ),
    of(
        "Alg 1",
        &[
            "μ_{t,k} = π_t ∘ ((1−γ)e_{X⁰_{t,k}} + γ⟨φ_{t,k}, Λ^{c−1}β_t⟩ e_{X′_{t,k}}), g̃_{θ,t,k} = Φᵀμ_{t,k} − φ_{t,k} ⟨φ_{t,k}, Λ^{c−1}β_t⟩",
            "θ_{t,1} = θ_{t−1}, θ_{t,k+1} = Π(θ_{t,k} − ηg̃_{θ,t,k}) for k = 1, …, K−1, θ_t = {1}/{K} Σ_{k=1}^K θ_{t,k}",
            "v_t = Eᵀ(π_t∘Φθ_t), g̃_{β,t} = Λ^{c−1}φ_t (R_t + γv_t(X′_t) − ⟨φ_t, θ_t⟩)",
            "β_{t+1} = Π(β_t + ζg̃_{β,t}), π_{t+1} = softmax(αΣ_{i=1}^tΦθ_i)",
        ],
        "Evaluate the policy by gradient descent on K − 1 rows, move $β$ by one row, make better actions likelier; return one of the T policies at random.",
    ),
    of(
        "Def 3.1",
        &["C_{φ,c}(π*;π_B) = 𝔼_{X,A∼μ*}[φ(X,A)]ᵀ Λ^{−2c} 𝔼_{X,A∼μ*}[φ(X,A)]"],
        "How far the mean features of the policy we compare with are from what the data saw. It is finite where the data saw that one direction, whatever else they missed.",
    ),
    of(
        "Thm 3.2",
        &["𝔼⟨μ* − μ^{π_J}, r⟩ ≤ ε with n_ε = O(ε^{−4} D_θ⁴ D_φ^{8c} D_β⁴ d^{2−2c} log |A|) where C_{φ,c} ≤ D_β²"],
        "How many rows are enough, against any policy that the data cover. The order asks for two actions and a $D_θD_φ$ that is not near 0. Print assumes $C_{φ,c}≤D_β$, and is refuted at c = 1.",
    ),
    of(
        "Cor 3.3",
        &["n_ε = O(ε^{−4} (1−γ)^{−4} d^{4−2c} C_{φ,c}² log |A|)"],
        "The same where features are of order 1, $D_ω=D_ψ=√d$ and $D_β²$ is of the order of $C_{φ,c}$.",
    ),
    of(
        "(11)",
        &["L(β,μ;v,θ) = (1−γ)⟨ν₀, v⟩ + ⟨β, Λ^c(ω + γΨv − θ)⟩ + ⟨μ, Φθ − Ev⟩"],
        "(6) with $λ=Λ^cβ$: gradients in $β$ are means over the data.",
    ),
    of(
        "(12)",
        &["L(β,μ;v,θ) = ⟨β, Λ^cω⟩ + ⟨v, (1−γ)ν₀ + γΨᵀΛ^cβ − Eᵀμ⟩ + ⟨θ, Φᵀμ − Λ^cβ⟩"],
        "The same number, grouped by v and $θ$.",
    ),
    of(
        "(13)",
        &["μ_{β,π}(x,a) = π(a|x) [(1−γ)ν₀(x) + γ⟨ψ(x), Λ^cβ⟩]"],
        "Where the policy would go if $β$ were right. It meets the first constraint of (4), so v drops out of L.",
    ),
    of(
        "(14)",
        &["f(β,π;θ) = L(β,μ_{β,π};v,θ) = ⟨β, Λ^cω⟩ + ⟨θ, Φᵀμ_{β,π} − Λ^cβ⟩"],
        "The game that is left: two vectors of d numbers and a policy.",
    ),
    of(
        "(15)",
        &["f(β,π;θ) = ⟨Λ^cβ, ω − θ⟩ + ⟨v_{θ,π}, ν_β⟩", "f(β,π;θ) = (1−γ)⟨ν₀, v_{θ,π}⟩ + ⟨Λ^cβ, ω + γΨv_{θ,π} − θ⟩"],
        "The same number twice more, in the forms from which the gradients are read.",
    ),
    of(
        "S4.unbiased-mu",
        &["𝔼_{t,k}[μ_{t,k}(x,a)] = μ_{β_t,π_t}(x,a)"],
        "On average one row's guess is right, though nobody knows the transitions.",
    ),
    of(
        "S4.unbiased-theta",
        &["𝔼_{t,k}[g̃_{θ,t,k}] = Φᵀμ_{β_t,π_t} − Λ^cβ_t = ∇_θf(β_t,π_t;θ)"],
        "So a step of $θ$ goes, on average, along the gradient.",
    ),
    of(
        "(16)",
        &["𝒢_T(β*,π*;θ*_{1:T}) = {1}/{T} Σ_{t=1}^T (f(β*,π*;θ_t) − f(β_t,π_t;θ*_t))"],
        "How much both players together could have gained, against one fixed $β*$ and policy and a $θ*_t$ for each t.",
    ),
    of(
        "Lemma 4.1",
        &["𝔼_J⟨μ* − μ^{π_J}, r⟩ = 𝒢_T(β*,π*;θ*_{1:T}) for θ*_t = θ^{π_t}, Λ^cβ* = Φᵀμ*"],
        "What the returned policy loses, on average over J, is the gap: no bound, the two are equal.",
    ),
    of(
        "Lemma 4.2",
        &[
            "𝒢_T = {1}/{T} Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩ + {1}/{T} Σ_t ⟨β* − β_t, g_{β,t}⟩ + {1}/{T} Σ_t Σ_x ν*(x) Σ_a (π*(a|x) − π_t(a|x)) ⟨θ_t, φ(x,a)⟩",
            "g_{θ,t} = Φᵀμ_{β_t,π_t} − Λ^cβ_t, g_{β,t} = Λ^c(ω + γΨv_{θ_t,π_t} − θ_t)",
        ],
        "The gap is the regret of $θ$, of $β$ and of the policies: three learners, each bounded by itself.",
    ),
    of(
        "S5.gain",
        &["ρ^π = lim_{T→∞} {1}/{T} 𝔼_π[Σ_{t=1}^T r(X_t,A_t)]"],
        "The reward per step in the long run, the same from every start.",
    ),
    of(
        "S5.bias",
        &["q^π = r − ρ^π𝟏 + Pv^π, v^π(x) = Σ_a π(a|x) q^π(x,a)", "‖q‖_{sp} = max_{x,a} q(x,a) − min_{x,a} q(x,a)"],
        "What starting at a pair earns above the average before it is forgotten; known up to a constant, so measured by its span.",
    ),
    of("Asm 5.1", &["‖q^π‖_{sp} < D_q for all π"], "Under no policy is one pair worth $D_q$ more than another."),
    of(
        "Asm 5.2",
        &["Φϱ = 𝟏"],
        "Constants are linear in the features. A linear MDP needs no such assumption: $ϱ=Σ_xψ(x)$ does it.",
    ),
    of(
        "Thm 5.3",
        &["𝔼⟨μ* − μ^{π_J}, r⟩ ≤ ε with n_ε = O(ε^{−4} D_θ⁴ D_φ^{8c} D_β⁴ d^{2−2c} log |A|) where C_{φ,c} ≤ D_β²"],
        "How many rows are enough for average rewards. Print assumes $C_{φ,c}≤D_β$ and has $D_φ^{12c−2}$; at c = 1 both are refuted.",
    ),
    of(
        "(17)",
        &["C^⋄(π*;π_B) = 𝔼_{X,A∼μ*}[φ(X,A)ᵀ Λ^{−1} φ(X,A)]"],
        "The usual feature coverage: every pair that the policy visits counts for itself, not only their mean.",
    ),
    of(
        "(18)",
        &["C^†(π*;π_B) = sup_{y∈ℝ^d} {yᵀ𝔼_{X,A∼μ*}[φ(X,A)φ(X,A)ᵀ]y}/{yᵀ𝔼_{X,A∼μ_B}[φ(X,A)φ(X,A)ᵀ]y}"],
        "The direction of feature space that the policy visits most often for each time that the data did.",
    ),
    of(
        "S6.chain",
        &["C_{φ,1/2} ≤ C^⋄ ≤ dC^†, C_{φ,1/2} = C^⋄ − Var(Λ^{−1/2}φ(X,A))"],
        "The paper's ratio at c = 1/2 is the smallest of the three. That it is always below $C_{φ,1}$, as print says, fails for long features.",
    ),
    of(
        "S6.tabular",
        &[
            "C_{φ,1/2} = Σ_{x,a} {μ*(x,a)²}/{μ_B(x,a)} = 1 + χ²(μ*‖μ_B), C^⋄ = Σ_{x,a} {μ*(x,a)}/{μ_B(x,a)}, C_{φ,1} = Σ_{x,a} {μ*(x,a)²}/{μ_B(x,a)²}",
        ],
        "With one feature per pair the ratios are sums over pairs, if both measures are positive there. Print gives $χ²$ to c = 1.",
    ),
    of(
        "Thm A.1",
        &[
            "𝔼⟨μ* − μ^{π_J}, r⟩ ≤ {2D_β²}/{ζT} + {log |A|}/{αT} + {2D_θ²}/{ηK} + {ζG_{β,c}²}/{2} + {αD_θ²D_φ²}/{2} + {ηG_{θ,c}²}/{2} where C_{φ,c} ≤ D_β²",
            "α = {√{2 log |A|}}/{D_φD_θ√T}, η = {2D_θ}/{G_{θ,c}√K}, ζ = {2D_β}/{G_{β,c}√T}, {K}/{T} = {2D_θ²G_{θ,c}²}/{2D_β²G_{β,c}² + D_θ²D_φ² log |A|}",
            "n_ε = O(ε^{−4} D_θ⁴ D_φ⁴ D_β⁴ Tr(Λ^{2c−1}) ‖Λ‖^{2c−1} log |A|)",
        ],
        "What each of three learners pays for its start, and for the size of its steps. At these rates, and K of the order of T, all six are of order $n^{−1/4}$. Print has $K/T$ upside down.",
    ),
    of("(19)", &["G_{θ,c}² = 3D_φ² ((1−γ)² + (1+γ²) D_β² ‖Λ‖^{2c−1})"], "A bound on the mean squared length of $g̃_θ$."),
    of(
        "(20)",
        &["G_{β,c}² = 3 (1 + (1+γ²) D_φ² D_θ²) Tr(Λ^{2c−1})"],
        "A bound on the mean squared length of $g̃_β$. Print has $D_φ^{2(2c−1)}$ for the trace, which at c = 1/2 is 1 in place of d.",
    ),
    of(
        "Rem A.2",
        &["Tr(Λ^{2c−1}) ‖Λ‖^{2c−1} ≤ D_φ^{8c−4} d^{2−2c}"],
        "What $Λ$ contributes at most: d at c = 1/2, $D_φ⁴$ at c = 1.",
    ),
    of(
        "(21)",
        &[
            "f(β*,π*;θ_t) − f(β_t,π_t;θ*_t) = [f(β*,π*;θ_t) − f(β*,π_t;θ_t)] + [f(β*,π_t;θ_t) − f(β_t,π_t;θ_t)] + [f(β_t,π_t;θ_t) − f(β_t,π_t;θ*_t)]",
        ],
        "One player moves at a time: the policy, $β$, $θ$. Each bracket is one regret of Lemma 4.2.",
    ),
    of(
        "Lemma B.1",
        &["𝔼[Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩] ≤ {2TD_θ²}/{ηK} + {ηTG_{θ,c}²}/{2}, 𝔼_{t,k}‖g̃_{θ,t,k}‖² ≤ G_{θ,c}²"],
        "The inner loop's regret, by gradient descent with estimates of bounded length.",
    ),
    of(
        "(22)",
        &["𝔼[Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩] = Σ_t {1}/{K} 𝔼[Σ_{k=1}^K ⟨θ_{t,k} − θ*_t, g_{θ,t}⟩]"],
        "$θ_t$ is the mean of its loop, and the product is linear.",
    ),
    of(
        "B.unbiased-beta",
        &["𝔼[g̃_{β,t}|𝓕_{t−1},θ_t] = Λ^c(ω + γΨv_{θ_t,π_t} − θ_t) = ∇_βf(β,π_t;θ_t)"],
        "On average the temporal difference of one row is the gradient in $β$.",
    ),
    of(
        "Lemma B.2",
        &["𝔼[Σ_t ⟨β* − β_t, g_{β,t}⟩] ≤ {2D_β²}/{ζ} + {ζTG_{β,c}²}/{2}, 𝔼‖g̃_{β,t}‖² ≤ G_{β,c}²"],
        "The regret of $β$, by gradient ascent with estimates of bounded length.",
    ),
    of(
        "Lemma B.3",
        &["𝔼[Σ_t Σ_x ν*(x) Σ_a (π*(a|x) − π_t(a|x)) ⟨θ_t, φ(x,a)⟩] ≤ {log |A|}/{α} + {αTD_φ²D_θ²}/{2}"],
        "The regret of the softmax policies, by mirror descent from the uniform one.",
    ),
    of(
        "(23)",
        &[
            "maximise ⟨μ, r⟩ over μ ≥ 0 with Eᵀμ = Pᵀμ and ⟨μ, 𝟏⟩ = 1",
            "L(λ,μ;ρ,v,θ) = ρ + ⟨λ, ω + Ψv − θ − ρϱ⟩ + ⟨μ, Φθ − Ev⟩ = ⟨λ, ω⟩ + ρ(1 − ⟨λ, ϱ⟩) + ⟨θ, Φᵀμ − λ⟩ + ⟨v, Ψᵀλ − Eᵀμ⟩",
            "L(β,μ;ρ,v,θ) = ρ + ⟨β, Λ^c(ω + Ψv − θ − ρϱ)⟩ + ⟨μ, Φθ − Ev⟩, μ_{β,π}(x,a) = π(a|x) ⟨ψ(x), Λ^cβ⟩",
            "f(β,π;ρ,θ) = L(β,μ_{β,π};ρ,v_{θ,π},θ) = ρ + ⟨β, Λ^c(ω + Ψv_{θ,π} − θ − ρϱ)⟩",
            "g_β = Λ^c(ω + Ψv_{θ,π} − θ − ρϱ), g_ρ = 1 − ⟨β, Λ^cϱ⟩, g_θ = Φᵀμ_{β,π} − Λ^cβ",
        ],
        "The program (2) without discount: $ρ$ is the price of the measure's sum being 1, a third variable of the game.",
    ),
    of(
        "C.theta-span",
        &["D_θ ≥ ‖θ^π‖ ≥ {‖q^π‖_{sp}}/{2D_φ}"],
        "The ball of $θ$ has to grow with the span of the action values.",
    ),
    of(
        "Alg 2",
        &[
            "g̃_{ρ,t,i} = 1 − ⟨φ_{t,i}, Λ^{c−1}β_t⟩, g̃_{θ,t,i} = φ′_{t,i} ⟨φ_{t,i}, Λ^{c−1}β_t⟩ − φ_{t,i} ⟨φ_{t,i}, Λ^{c−1}β_t⟩",
            "ρ_t^{(1)} = ρ_{t−1}, ρ_t^{(i+1)} = Π(ρ_t^{(i)} − ξg̃_{ρ,t,i}), ρ_t = {1}/{K} Σ_{i=1}^K ρ_t^{(i)}",
            "θ_t^{(1)} = θ_{t−1}, θ_t^{(i+1)} = Π(θ_t^{(i)} − ηg̃_{θ,t,i}), θ_t = {1}/{K} Σ_{i=1}^K θ_t^{(i)}",
            "v_t = Eᵀ(π_t∘Φθ_t), g̃_{β,t} = Λ^{c−1}φ_t (R_t + v_t(X′_t) − ⟨θ_t, φ_t⟩ − ρ_t)",
            "β_{t+1} = Π(β_t + ζg̃_{β,t}), π_{t+1} = softmax(αΣ_{k=1}^tΦθ_k)",
        ],
        "Algorithm 1 with the average reward $ρ$ learnt beside $θ$, on K rows, and one more for $β$.",
    ),
    of(
        "Thm C.1",
        &[
            "𝔼⟨μ* − μ^{π_J}, r⟩ ≤ {2D_β²}/{ζT} + {log |A|}/{αT} + {1}/{2ξK} + {2D_θ²}/{ηK} + {ζG_{β,c}²}/{2} + {αD_θ²D_φ²}/{2} + {ξG_{ρ,c}²}/{2} + {ηG_{θ,c}²}/{2} where C_{φ,c} ≤ D_β²",
            "α = {√{2 log |A|}}/{D_φD_θ√T}, η = {2D_θ}/{G_{θ,c}√K}, ζ = {2D_β}/{G_{β,c}√T}, ξ = {1}/{G_{ρ,c}√K}, {K}/{T} = {G_{ρ,c}² + 4D_θ²G_{θ,c}²}/{4D_β²G_{β,c}² + 2D_θ²D_φ² log |A|}",
            "n_ε = O(ε^{−4} D_θ⁴ D_φ⁴ D_β⁴ Tr(Λ^{2c−1}) ‖Λ‖^{2c−1} log |A|)",
        ],
        "What each of four learners pays for its start, and for the size of its steps. Print has $K/T$ upside down, and $‖Λ‖^{2(2c−1)}$ in the order.",
    ),
    of("(24)", &["G_{β,c}² = Tr(Λ^{2c−1}) (1 + 2D_θD_φ)²"], "A bound on the mean squared length of $g̃_β$."),
    of("(25)", &["G_{ρ,c}² = 2 (1 + D_β² ‖Λ‖^{2c−1})"], "A bound on the mean square of $g̃_ρ$."),
    of("(26)", &["G_{θ,c}² = 4D_φ² D_β² ‖Λ‖^{2c−1}"], "A bound on the mean squared length of $g̃_θ$."),
    of(
        "Cor C.2",
        &["n_ε = O(ε^{−4} D_q⁴ C_{φ,c}² d^{4−2c} log |A|)"],
        "The same where features are of order 1, $D_ω=D_ψ=√d$ and $D_β²$ is of the order of $C_{φ,c}$.",
    ),
    of(
        "(27)",
        &["𝒢_T(β*,π*;ρ*_{1:T},θ*_{1:T}) = {1}/{T} Σ_{t=1}^T (f(β*,π*;ρ_t,θ_t) − f(β_t,π_t;ρ*_t,θ*_t))"],
        "The gap of (16) with $ρ$ beside $θ$.",
    ),
    of(
        "Lemma C.3",
        &[
            "𝔼_J⟨μ* − μ^{π_J}, r⟩ = 𝒢_T(β*,π*;ρ*_{1:T},θ*_{1:T}) for ρ*_t = ρ^{π_t}, Λ^cβ* = Φᵀμ*, Φθ*_t = q^{π_t} + κ_t𝟏",
        ],
        "What the returned policy loses is the gap, whatever constant the action values are shifted by. Print's shift, to a least value of 0, may leave the ball of $θ$.",
    ),
    of(
        "Lemma C.4",
        &[
            "𝒢_T = {1}/{T} Σ_t (⟨β* − β_t, g_{β,t}⟩ + Σ_x ν*(x) ⟨π*(·|x) − π_t(·|x), q_t(x,·)⟩) + {1}/{TK} Σ_t Σ_i ((ρ_t^{(i)} − ρ*_t) g_{ρ,t} + ⟨θ_t^{(i)} − θ*_t, g_{θ,t}⟩)",
            "𝔼[𝒢_T] ≤ {2D_β²}/{ζT} + {H(π*‖π₁)}/{αT} + {1}/{2ξK} + {2D_θ²}/{ηK} + {ζG_{β,c}²}/{2} + {αD_φ²D_θ²}/{2} + {ξG_{ρ,c}²}/{2} + {ηG_{θ,c}²}/{2}",
        ],
        "The gap is the regret of $β$, of the policies, of $ρ$ and of $θ$, and each is bounded.",
    ),
    of(
        "Lemma C.5",
        &[
            "g̃_{β,t} = Λ^{c−1}φ_t (R_t + v_t(X′_t) − ⟨θ_t, φ_t⟩ − ρ_t)",
            "𝔼[g̃_{β,t}|𝓕_{t−1},θ_t,ρ_t] = g_{β,t}, 𝔼‖g̃_{β,t}‖² ≤ G_{β,c}²",
        ],
        "The temporal difference without discount: right on average, given $θ_t$ and $ρ_t$ (print has $θ_t$ alone), and of bounded length.",
    ),
    of(
        "(28)",
        &["𝔼[Σ_t ⟨β* − β_t, g_{β,t}⟩] ≤ {2D_β²}/{ζ} + {ζTG_{β,c}²}/{2}"],
        "So gradient ascent in $β$ has this regret.",
    ),
    of(
        "Lemma C.6",
        &[
            "g̃_{ρ,t,i} = 1 − ⟨φ_{t,i}, Λ^{c−1}β_t⟩, 𝔼_{t,i}[g̃_{ρ,t,i}] = g_{ρ,t}, 𝔼_{t,i}[g̃_{ρ,t,i}²] ≤ G_{ρ,c}²",
            "𝔼[Σ_{i=1}^K (ρ_t^{(i)} − ρ*_t) g_{ρ,t}] ≤ {1}/{2ξ} + {ξKG_{ρ,c}²}/{2}",
        ],
        "How far the weights that $β$ gives are from summing to 1, by one row; and the regret of $ρ$. Its bound has $D_β²‖Λ‖^{2c−1}$ in $G_{ρ,c}²$; print has the random $‖β_t‖²_{Λ^{2c−1}}$ there.",
    ),
    of(
        "Lemma C.7",
        &[
            "g̃_{θ,t,i} = φ′_{t,i} ⟨φ_{t,i}, Λ^{c−1}β_t⟩ − φ_{t,i} ⟨φ_{t,i}, Λ^{c−1}β_t⟩",
            "𝔼_{t,i}[g̃_{θ,t,i}] = g_{θ,t}, 𝔼_{t,i}‖g̃_{θ,t,i}‖² ≤ G_{θ,c}²",
        ],
        "The features of what comes next less those of the row, with $β$'s weight; the next action is drawn from the current policy.",
    ),
    of(
        "(29)",
        &["𝔼[Σ_{i=1}^K ⟨θ_t^{(i)} − θ*_t, g_{θ,t}⟩] ≤ {2D_θ²}/{η} + {ηKG_{θ,c}²}/{2}"],
        "So gradient descent in $θ$ has this regret in each loop.",
    ),
    of(
        "Lemma D.1",
        &[
            "y_{k+1} = Π(y_k + ηĥ_k), 𝔼[ĥ_k|𝓕_{k−1}] = h_k, 𝔼[‖ĥ_k‖²|𝓕_{k−1}] ≤ G²",
            "𝔼[Σ_{k=1}^n ⟨y* − y_k, h_k⟩] ≤ {‖y₁ − y*‖²}/{2η} + {ηnG²}/{2}",
        ],
        "Gradient steps with unbiased estimates lose no more than the way from the start and the noise of n steps; the projection brings no point further from $y*$.",
    ),
    of(
        "Lemma D.2",
        &[
            "π_{t+1}(a|x) ∝ π_t(a|x) e^{αq_t(x,a)}, |q_t(x,a)| ≤ D_q",
            "Σ_{t=1}^T Σ_x ν*(x) ⟨π*(·|x) − π_t(·|x), q_t(x,·)⟩ ≤ {H(π*‖π₁)}/{α} + {αTD_q²}/{2}",
        ],
        "Multiplying by exponentials of what was good loses no more than how unlikely the best policy was at the start, and the noise of T steps.",
    ),
    of(
        "Def E.1",
        &[
            "C_{φ,c} = 𝔼_{μ*}[φ]ᵀ Λ^{−2c} 𝔼_{μ*}[φ], C^⋄ = 𝔼_{μ*}[φᵀΛ^{−1}φ]",
            "C^† = sup_{y∈ℝ^d} {yᵀ𝔼_{μ*}[φφᵀ]y}/{yᵀ𝔼_{μ_B}[φφᵀ]y}, C_{𝓕,π} = max_{f∈𝓕} {‖f − 𝒯^πf‖²_{μ*}}/{‖f − 𝒯^πf‖²_{μ_B}}",
        ],
        "Four ways to say how well the data cover a policy.",
    ),
    of(
        "Prop E.2",
        &["C_{φ,c} = 𝔼_{μ*}[φᵀΛ^{−2c}φ] − Var_{μ*}(Λ^{−c}φ)"],
        "The square of a mean is the mean of the squares less a variance.",
    ),
    of(
        "Prop E.3",
        &["C^† ≤ C^⋄ ≤ dC^†"],
        "The greatest of d eigenvalues that are not negative, their sum, and d times the greatest.",
    ),
    of("(30)", &["C^⋄ = 𝔼_{μ*}[Tr(φφᵀΛ^{−1})]"], "A number is its own trace, and a trace may be turned around."),
    of("(31)", &["C^⋄ = Tr(MΛ^{−1}), M = 𝔼_{μ*}[φφᵀ]"], "The mean goes inside the trace."),
    of("(32)", &["C^⋄ = Tr(Λ^{−1/2}MΛ^{−1/2})"], "Turned around once more: the trace of a symmetric matrix."),
    of("(33)", &["C^† = sup_{z∈ℝ^d} {zᵀΛ^{−1/2}MΛ^{−1/2}z}/{zᵀz}"], "The quotient in $z=Λ^{1/2}y$."),
    of("(34)", &["C^† = λ_{max}(Λ^{−1/2}MΛ^{−1/2})"], "Which is the greatest eigenvalue of the matrix in (32)."),
    of(
        "Prop E.4",
        &["C_{𝓕,π} ≤ C^†, with equality for Θ = ℝ^d"],
        "Bellman errors of linear functions are linear functions, so their ratio is one of those of $C^†$.",
    ),
    of(
        "(35)",
        &["C_{𝓕,π} = max_{f∈𝓕} {𝔼_{μ*}[(f(X,A) − 𝒯f(X,A))²]}/{𝔼_{μ_B}[(f(X,A) − 𝒯f(X,A))²]}"],
        "The norms written out as means over pairs.",
    ),
    of(
        "(36)",
        &["C_{𝓕,π} ≤ max_{θ∈ℝ^d} {𝔼_{μ*}[⟨φ(X,A), θ − 𝒯θ⟩²]}/{𝔼_{μ_B}[⟨φ(X,A), θ − 𝒯θ⟩²]}"],
        "In feature space, and over every $θ$.",
    ),
    of(
        "(37)",
        &["C_{𝓕,π} ≤ max_{y∈ℝ^d} {𝔼_{μ*}[⟨φ(X,A), y⟩²]}/{𝔼_{μ_B}[⟨φ(X,A), y⟩²]}"],
        "The same number: every y is some $θ−𝒯θ$, since $γ<1$.",
    ),
    of(
        "(38)",
        &["C_{𝓕,π} ≤ max_{y∈ℝ^d} {yᵀ𝔼_{μ*}[φφᵀ]y}/{yᵀ𝔼_{μ_B}[φφᵀ]y}"],
        "The same number: the squares written as quadratic forms, which makes it $C^†$.",
    ),
];

#[cfg(test)]
mod tests {
    use super::GLOSSES;
    use crate::statements::{checks, statements};

    /// A brace that is neither below nor above anything is a group to those who set it, and is not seen.
    #[test]
    fn no_brace_of_a_comparison_or_title_is_swallowed() {
        let texts = checks().map(|check| check.compares).chain(statements().map(|statement| statement.title));
        for text in texts {
            for (at, _) in text.match_indices('{') {
                let before = &text[..at];
                assert!(before.ends_with(['_', '^', '\\']) || before.ends_with("}/"), "{text}");
            }
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        }
    }

    #[test]
    fn every_statement_has_its_gloss_in_the_order_of_the_register() {
        let ids: Vec<&str> = statements().map(|statement| statement.id).collect();
        assert_eq!(GLOSSES.iter().map(|gloss| gloss.id).collect::<Vec<_>>(), ids);
        for gloss in GLOSSES {
            assert!(!gloss.formulas.is_empty() && gloss.words.ends_with('.'), "{}", gloss.id);
        }
    }
}
