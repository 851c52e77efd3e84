//! Matchings of the greatest weight in a graph, by Edmonds' blossoms, the primal-dual way.
//!
//! Every vertex has a dual value, and every blossom, an odd cycle that is treated as one node.
//! An edge whose two duals are just twice its weight is *tight*, and only tight edges are used. A
//! vertex without a partner whose dual is not zero yet is the root of a search: its tree of tight
//! edges grows, and duals shift to make more of them tight, until it finds a partner or somebody in
//! the tree whose dual is zero, who stays alone instead. So what is solved stays solved: when the
//! edges of a vertex change, only that vertex loses its place and is searched for again.

use super::weight::Weight;

const NONE: usize = usize::MAX;

/// Where a node stands in the tree of a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Label {
    /// Not in it.
    Free,
    /// An even number of edges from the root.
    Even,
    /// An odd one.
    Odd,
}

/// A graph with its best matching so far. Nodes below `size` are vertices, the others blossoms.
pub(super) struct Matcher<const N: usize> {
    size: usize,
    /// Weights of the edges; zero where there is none.
    weights: Vec<Weight<N>>,
    duals: Vec<Weight<N>>,
    /// The vertex that a node is matched with.
    mates: Vec<usize>,
    /// The outermost node that a node is in; `NONE` for blossoms that are not in use.
    tops: Vec<usize>,
    /// The blossom that a node is a direct part of.
    parents: Vec<usize>,
    /// The parts of a blossom, in a circle; the first is matched with somebody outside.
    circles: Vec<Vec<usize>>,
    /// For each blossom and node, the best edge between them.
    links: Vec<Vec<Option<(usize, usize)>>>,
    labels: Vec<Label>,
    /// The vertex by which an odd node was reached.
    reached: Vec<usize>,
    /// The even vertex with the edge to a node that is nearest to tight.
    nearest: Vec<usize>,
    /// Even vertices whose edges have not been looked at.
    queue: Vec<usize>,
    marks: Vec<u64>,
    mark: u64,
}

impl<const N: usize> Matcher<N> {
    /// A graph without edges.
    pub fn new(size: usize) -> Matcher<N> {
        Matcher {
            size,
            weights: vec![Weight::ZERO; size * size],
            duals: vec![Weight::ZERO; size],
            mates: vec![NONE; size],
            tops: (0..size).collect(),
            parents: vec![NONE; size],
            circles: vec![Vec::new(); size],
            links: vec![Vec::new(); size],
            labels: vec![Label::Free; size],
            reached: vec![NONE; size],
            nearest: vec![NONE; size],
            queue: Vec::new(),
            marks: vec![0; size],
            mark: 0,
        }
    }

    /// The weight of an edge; zero if there is none.
    pub fn weight(&self, a: usize, b: usize) -> Weight<N> {
        self.weights[a * self.size + b]
    }

    /// Changes edges of these vertices, and takes the vertices out of the matching. The edges are
    /// those between any of them and any other that `weigh` has something to say about.
    pub fn change(
        &mut self,
        vertices: &[usize],
        mut weigh: impl FnMut(usize, usize) -> Option<Weight<N>>,
    ) {
        for &vertex in vertices {
            self.set_free(vertex);
        }
        for &vertex in vertices {
            for other in 0..self.size {
                if other != vertex
                    && let Some(weight) = weigh(vertex, other)
                {
                    self.weights[vertex * self.size + other] = weight;
                    self.weights[other * self.size + vertex] = weight;
                }
            }
        }
        let mut is_changed = vec![false; self.size];
        for &vertex in vertices {
            is_changed[vertex] = true;
        }
        let duals: Vec<_> = vertices
            .iter()
            .map(|&vertex| self.least_dual(vertex, &is_changed))
            .collect();
        for (&vertex, dual) in vertices.iter().zip(duals) {
            self.duals[vertex] = dual;
        }
        self.renew_links(vertices);
    }

    /// Makes the matching the best one, and returns each vertex's partner, or itself.
    pub fn solve(&mut self) -> Vec<usize> {
        for vertex in 0..self.size {
            let top = self.tops[vertex];
            if self.mates[top] == NONE && self.base(top) == vertex && !self.duals[vertex].is_zero()
            {
                self.search(top);
            }
        }
        (0..self.size)
            .map(|vertex| match self.mates[vertex] {
                NONE => vertex,
                mate => mate,
            })
            .collect()
    }

    /// The smallest dual for a vertex that leaves no edge beyond tight; others that change share
    /// the burden of the edges between them.
    fn least_dual(&self, vertex: usize, is_changed: &[bool]) -> Weight<N> {
        let mut least = Weight::ZERO;
        for (other, &is_changed) in is_changed.iter().enumerate() {
            let weight = self.weight(vertex, other);
            if weight.is_zero() {
                continue;
            }
            if is_changed {
                least = least.max(weight);
            } else if weight.double() > self.duals[other] {
                least = least.max(weight.double() - self.duals[other]);
            }
        }
        least
    }

    /// Takes a vertex out of all blossoms and leaves it without a partner.
    fn set_free(&mut self, vertex: usize) {
        while self.tops[vertex] != vertex {
            self.dissolve(self.tops[vertex]);
        }
        self.part(vertex);
    }

    /// Takes a node and its partner apart.
    fn part(&mut self, node: usize) {
        let mate = self.mates[node];
        if mate != NONE {
            let mate = self.tops[mate];
            self.leave_alone(mate);
            self.leave_alone(node);
        }
    }

    /// A node's first vertex has no partner any more.
    fn leave_alone(&mut self, node: usize) {
        self.mates[node] = NONE;
        if let Some(&first) = self.circles[node].first() {
            self.leave_alone(first);
        }
    }

    /// Takes an outermost blossom apart. Its dual goes to its vertices, which loosens the edge to
    /// its partner.
    fn dissolve(&mut self, blossom: usize) {
        let dual = self.duals[blossom];
        if !dual.is_zero() {
            self.part(blossom);
            for leaf in self.leaves(blossom) {
                self.duals[leaf] += dual.half();
            }
        }
        self.release(blossom);
    }

    /// The parts of a blossom stand for themselves again.
    fn release(&mut self, blossom: usize) {
        for part in std::mem::take(&mut self.circles[blossom]) {
            self.parents[part] = NONE;
            self.set_top(part, part);
        }
        self.tops[blossom] = NONE;
        self.duals[blossom] = Weight::ZERO;
    }

    /// Finds the best edges from blossoms to these vertices, which are in none.
    fn renew_links(&mut self, vertices: &[usize]) {
        for blossom in self.size..self.tops.len() {
            if self.tops[blossom] == NONE {
                continue;
            }
            let leaves = self.leaves(blossom);
            for &vertex in vertices {
                let edges = leaves.iter().map(|&leaf| (leaf, vertex));
                let edges = edges.filter(|&(leaf, _)| !self.weight(leaf, vertex).is_zero());
                let best = edges.min_by_key(|&edge| self.slack(edge));
                self.links[blossom][vertex] = best;
            }
        }
    }

    fn leaves(&self, node: usize) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut nodes = vec![node];
        while let Some(node) = nodes.pop() {
            if node < self.size {
                leaves.push(node);
            }
            nodes.extend(&self.circles[node]);
        }
        leaves
    }

    /// The vertex of a node that is matched outside of it.
    fn base(&self, mut node: usize) -> usize {
        while let Some(&first) = self.circles[node].first() {
            node = first;
        }
        node
    }

    fn set_top(&mut self, node: usize, top: usize) {
        let mut nodes = vec![node];
        while let Some(node) = nodes.pop() {
            self.tops[node] = top;
            nodes.extend(&self.circles[node]);
        }
    }

    /// How far an edge between vertices is from tight.
    fn slack(&self, (a, b): (usize, usize)) -> Weight<N> {
        self.duals[a] + self.duals[b] - self.weight(a, b).double()
    }

    /// The best edge between two nodes, from the first to the second.
    fn edge(&self, a: usize, b: usize) -> Option<(usize, usize)> {
        if a >= self.size {
            return self.links[a][b];
        }
        if b >= self.size {
            return self.links[b][a].map(|(b, a)| (a, b));
        }
        (!self.weight(a, b).is_zero()).then_some((a, b))
    }

    /// How far the edge from a node's nearest even vertex is from tight.
    fn nearest_slack(&self, node: usize) -> Option<((usize, usize), Weight<N>)> {
        let vertex = self.nearest[node];
        if vertex == NONE || self.tops[vertex] == node {
            return None;
        }
        let edge = self.edge(vertex, node)?;
        Some((edge, self.slack(edge)))
    }

    /// Gives a root a partner, or leaves somebody without whose dual is zero.
    fn search(&mut self, root: usize) {
        self.labels.fill(Label::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        self.become_even(root);
        loop {
            while let Some(vertex) = self.queue.pop() {
                if self.look_around(vertex) {
                    return;
                }
            }
            let step = self.step();
            self.shift(step);
            let zero = |&vertex: &usize| {
                self.labels[self.tops[vertex]] == Label::Even && self.duals[vertex].is_zero()
            };
            if let Some(vertex) = (0..self.size).find(zero) {
                self.retire(vertex);
                return;
            }
            if self.use_tight_edges() {
                return;
            }
            self.expand_empty();
        }
    }

    /// Follows the edges of an even vertex; whether that ends the search.
    fn look_around(&mut self, vertex: usize) -> bool {
        for other in 0..self.size {
            let top = self.tops[other];
            if top == self.tops[vertex] || self.weight(vertex, other).is_zero() {
                continue;
            }
            if self.labels[top] == Label::Odd {
                continue;
            }
            if self.slack((vertex, other)).is_zero() {
                if self.follow((vertex, other)) {
                    return true;
                }
            } else {
                self.note_nearest(vertex, top);
            }
        }
        false
    }

    fn note_nearest(&mut self, vertex: usize, node: usize) {
        let Some(edge) = self.edge(vertex, node) else {
            return;
        };
        match self.nearest_slack(node) {
            Some((_, slack)) if slack <= self.slack(edge) => {}
            _ => self.nearest[node] = vertex,
        }
    }

    fn find_nearest(&mut self, node: usize) {
        self.nearest[node] = NONE;
        for vertex in 0..self.size {
            let top = self.tops[vertex];
            if top != node && self.labels[top] == Label::Even {
                self.note_nearest(vertex, node);
            }
        }
    }

    fn become_even(&mut self, node: usize) {
        self.labels[node] = Label::Even;
        let leaves = self.leaves(node);
        self.queue.extend(leaves);
    }

    /// How far duals can shift until something happens.
    fn step(&self) -> Weight<N> {
        let mut step: Option<Weight<N>> = None;
        let mut take = |value: Weight<N>| step = Some(step.map_or(value, |least| least.min(value)));
        for vertex in 0..self.size {
            if self.labels[self.tops[vertex]] == Label::Even {
                take(self.duals[vertex]);
            }
        }
        for node in 0..self.tops.len() {
            if self.tops[node] != node {
                continue;
            }
            match self.labels[node] {
                Label::Odd if node >= self.size => take(self.duals[node].half()),
                Label::Odd => {}
                label => {
                    if let Some((_, slack)) = self.nearest_slack(node) {
                        take(if label == Label::Even {
                            slack.half()
                        } else {
                            slack
                        });
                    }
                }
            }
        }
        step.expect("the root is even")
    }

    fn shift(&mut self, step: Weight<N>) {
        for vertex in 0..self.size {
            match self.labels[self.tops[vertex]] {
                Label::Even => self.duals[vertex] -= step,
                Label::Odd => self.duals[vertex] += step,
                Label::Free => {}
            }
        }
        for node in self.size..self.tops.len() {
            if self.tops[node] == node {
                match self.labels[node] {
                    Label::Even => self.duals[node] += step.double(),
                    Label::Odd => self.duals[node] -= step.double(),
                    Label::Free => {}
                }
            }
        }
    }

    /// Follows the edges that have become tight; whether that ends the search.
    fn use_tight_edges(&mut self) -> bool {
        for node in 0..self.tops.len() {
            if self.tops[node] != node || self.labels[node] == Label::Odd {
                continue;
            }
            if let Some((edge, slack)) = self.nearest_slack(node)
                && slack.is_zero()
                && self.follow(edge)
            {
                return true;
            }
        }
        false
    }

    /// Odd blossoms whose dual is used up are taken apart.
    fn expand_empty(&mut self) {
        for node in self.size..self.tops.len() {
            if self.tops[node] == node
                && self.labels[node] == Label::Odd
                && self.duals[node].is_zero()
            {
                self.expand(node);
            }
        }
    }

    /// Takes a tight edge from an even vertex; whether that ends the search.
    fn follow(&mut self, edge: (usize, usize)) -> bool {
        let (from, to) = (self.tops[edge.0], self.tops[edge.1]);
        match self.labels[to] {
            Label::Odd => false,
            Label::Even => {
                let meeting = self.meeting(from, to);
                self.close_circle(from, meeting, to);
                false
            }
            Label::Free if self.mates[to] == NONE => {
                self.augment(from, to);
                self.set_mate(to, from);
                true
            }
            Label::Free => {
                self.labels[to] = Label::Odd;
                self.reached[to] = edge.0;
                let next = self.tops[self.mates[to]];
                self.nearest[to] = NONE;
                self.nearest[next] = NONE;
                self.become_even(next);
                false
            }
        }
    }

    /// Where the paths of two even nodes to the root meet.
    fn meeting(&mut self, a: usize, b: usize) -> usize {
        self.mark += 1;
        let mut paths = [a, b];
        loop {
            for path in &mut paths {
                if *path == NONE {
                    continue;
                }
                if self.marks[*path] == self.mark {
                    return *path;
                }
                self.marks[*path] = self.mark;
                *path = match self.mates[*path] {
                    NONE => NONE,
                    mate => self.tops[self.reached[self.tops[mate]]],
                };
            }
        }
    }

    /// Makes a blossom of the circle that an edge between two even nodes closes.
    fn close_circle(&mut self, a: usize, meeting: usize, b: usize) {
        let blossom = self.new_blossom();
        let mut circle = self.path(a, meeting);
        circle.push(meeting);
        circle.reverse();
        circle.extend(self.path(b, meeting));
        for &part in &circle {
            if self.labels[part] == Label::Odd {
                let leaves = self.leaves(part);
                self.queue.extend(leaves);
            }
            self.parents[part] = blossom;
        }
        self.labels[blossom] = Label::Even;
        self.mates[blossom] = self.mates[meeting];
        self.circles[blossom] = circle;
        self.set_top(blossom, blossom);
        self.link(blossom);
        self.find_nearest(blossom);
    }

    /// The nodes from one to another one, which is not among them.
    fn path(&self, from: usize, to: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut node = from;
        while node != to {
            let odd = self.tops[self.mates[node]];
            path.extend([node, odd]);
            node = self.tops[self.reached[odd]];
        }
        path
    }

    /// A blossom that is not in use.
    fn new_blossom(&mut self) -> usize {
        let unused = (self.size..self.tops.len()).find(|&node| self.tops[node] == NONE);
        let blossom = unused.unwrap_or_else(|| {
            self.duals.push(Weight::ZERO);
            self.mates.push(NONE);
            self.tops.push(NONE);
            self.parents.push(NONE);
            self.circles.push(Vec::new());
            self.links.push(Vec::new());
            self.labels.push(Label::Free);
            self.reached.push(NONE);
            self.nearest.push(NONE);
            self.marks.push(0);
            self.tops.len() - 1
        });
        for links in &mut self.links[self.size..] {
            links.resize(self.duals.len(), None);
        }
        self.parents[blossom] = NONE;
        blossom
    }

    /// Finds the best edges from a new blossom to all other nodes.
    fn link(&mut self, blossom: usize) {
        for node in 0..self.tops.len() {
            let mut best = None;
            if self.tops[node] != NONE && self.tops[node] != blossom {
                let edges = self.circles[blossom]
                    .iter()
                    .filter_map(|&part| self.edge(part, node));
                best = edges.min_by_key(|&edge| self.slack(edge));
            }
            self.links[blossom][node] = best;
            if node >= self.size {
                self.links[node][blossom] = best.map(|(a, b)| (b, a));
            }
        }
    }

    /// Takes an odd blossom with nothing left apart; what connects its ends stays in the tree.
    fn expand(&mut self, blossom: usize) {
        let entry = self.reached[blossom];
        let (_, inside) = self
            .edge(entry, blossom)
            .expect("it was reached by an edge");
        let first = self.part_with(blossom, inside);
        let turns = self.turned_to(blossom, first);
        let circle = self.circles[blossom].clone();
        self.release(blossom);
        for &part in &circle {
            self.labels[part] = Label::Free;
            self.nearest[part] = NONE;
        }
        for pair in circle[..turns].chunks_exact(2) {
            let (odd, even) = (pair[0], pair[1]);
            let (from, _) = self
                .edge(even, odd)
                .expect("parts of a circle are neighbours");
            self.labels[odd] = Label::Odd;
            self.reached[odd] = from;
            self.become_even(even);
        }
        self.labels[first] = Label::Odd;
        self.reached[first] = entry;
        for &part in &circle {
            if self.labels[part] == Label::Free {
                self.find_nearest(part);
            }
        }
    }

    /// The part of a blossom that a vertex is in.
    fn part_with(&self, blossom: usize, vertex: usize) -> usize {
        let mut node = vertex;
        while self.parents[node] != blossom {
            node = self.parents[node];
        }
        node
    }

    /// How many parts lie between the first part of a blossom and another one, on the side where
    /// that is an even number; the circle is turned over if need be.
    fn turned_to(&mut self, blossom: usize, part: usize) -> usize {
        let circle = &mut self.circles[blossom];
        let place = circle.iter().position(|&other| other == part);
        let place = place.expect("it is a part of the blossom");
        if place.is_multiple_of(2) {
            return place;
        }
        circle[1..].reverse();
        circle.len() - place
    }

    /// Matches a node with another one; inside a blossom everybody moves along.
    fn set_mate(&mut self, node: usize, other: usize) {
        let (own, outside) = self.edge(node, other).expect("only neighbours are matched");
        self.set_mate_vertex(node, own, outside);
    }

    /// The same for parts of a blossom, where the edge is known.
    fn set_mate_vertex(&mut self, node: usize, own: usize, outside: usize) {
        self.mates[node] = outside;
        if node >= self.size {
            let part = self.part_with(node, own);
            let turns = self.rematch_before(node, part);
            self.set_mate_vertex(part, own, outside);
            self.circles[node].rotate_left(turns);
        }
    }

    /// Matches the parts of a blossom before one of them with each other.
    fn rematch_before(&mut self, blossom: usize, part: usize) -> usize {
        let turns = self.turned_to(blossom, part);
        for index in (0..turns).step_by(2) {
            let (a, b) = (
                self.circles[blossom][index],
                self.circles[blossom][index + 1],
            );
            self.set_mate(a, b);
            self.set_mate(b, a);
        }
        turns
    }

    /// Matches an even node with a neighbour, and everybody up to the root anew.
    fn augment(&mut self, node: usize, neighbour: usize) {
        let (mut node, mut neighbour) = (node, neighbour);
        loop {
            let mate = self.mates[node];
            self.set_mate(node, neighbour);
            if mate == NONE {
                return;
            }
            let odd = self.tops[mate];
            let next = self.tops[self.reached[odd]];
            self.set_mate(odd, next);
            (node, neighbour) = (next, odd);
        }
    }

    /// Leaves an even vertex without a partner, and matches everybody up to the root anew.
    fn retire(&mut self, vertex: usize) {
        let top = self.tops[vertex];
        let mate = self.mates[top];
        self.make_base(top, vertex);
        if mate != NONE {
            let odd = self.tops[mate];
            let next = self.tops[self.reached[odd]];
            self.set_mate(odd, next);
            self.augment(next, odd);
        }
    }

    /// Leaves a vertex of a node alone, while the others in it are matched with each other.
    fn make_base(&mut self, node: usize, vertex: usize) {
        self.mates[node] = NONE;
        if node >= self.size {
            let part = self.part_with(node, vertex);
            let turns = self.rematch_before(node, part);
            self.make_base(part, vertex);
            self.circles[node].rotate_left(turns);
        }
    }
}

#[cfg(test)]
mod tests {
    use kingme_play::Chance;

    use super::*;

    fn weight(value: u64) -> Weight<2> {
        let mut weight = Weight::ZERO;
        // Across the border of two words.
        weight.add_at(60, value);
        weight
    }

    /// The greatest weight of any matching of the vertices from one on, by trying all.
    fn best(weights: &[Vec<u64>], used: u32, from: usize) -> u64 {
        if from == weights.len() {
            return 0;
        }
        let alone = best(weights, used | 1 << from, from + 1);
        if used & 1 << from != 0 {
            return alone;
        }
        let partners = (from + 1..weights.len())
            .filter(|&other| used & 1 << other == 0 && weights[from][other] > 0);
        let paired =
            partners.map(|other| weights[from][other] + best(weights, used | 1 << other, from + 1));
        paired.max().unwrap_or(0).max(alone)
    }

    fn total(weights: &[Vec<u64>], mates: &[usize]) -> u64 {
        let pairs = mates.iter().enumerate().filter(|(a, b)| a < *b);
        pairs
            .map(|(a, &b)| {
                assert_eq!(mates[b], a);
                assert!(weights[a][b] > 0, "{a} and {b} have no edge");
                weights[a][b]
            })
            .sum()
    }

    /// Small graphs, whose edges change again and again, against all matchings there are.
    #[test]
    fn no_matching_is_better() {
        for seed in 0..3000 {
            let mut chance = Chance::fork(7, seed);
            let size = 2 + (chance.number() % 8) as usize;
            let most = [2, 4, 30, 1000][(chance.number() % 4) as usize];
            let mut matcher = Matcher::<2>::new(size);
            let mut weights = vec![vec![0; size]; size];
            let all: Vec<usize> = (0..size).collect();
            for turn in 0..6 {
                let changed = if turn == 0 {
                    all.clone()
                } else {
                    let count = 1 + (chance.number() % 2) as usize;
                    (0..count)
                        .map(|_| (chance.number() % size as u64) as usize)
                        .collect()
                };
                for &a in &changed {
                    for b in (0..size).filter(|&b| b != a) {
                        let value = (chance.number() % (2 * most)).saturating_sub(most / 2);
                        (weights[a][b], weights[b][a]) = (value, value);
                    }
                }
                matcher.change(&changed, |a, b| Some(weight(weights[a][b])));
                let mates = matcher.solve();
                let best = best(&weights, 0, 0);
                assert_eq!(total(&weights, &mates), best, "seed {seed}, turn {turn}");
            }
        }
    }
}
